/** Keeps the screen awake during a race.  A browser takes that back whenever the page is hidden, so it is asked again. */

export class WakeLock {
  #isWanted = false;
  /** @type {Promise<WakeLockSentinel | null> | null} */
  #lock = null;

  /** @param {boolean} isWanted */
  want(isWanted) {
    if (isWanted === this.#isWanted) return;
    this.#isWanted = isWanted;
    if (isWanted) this.#take();
    else this.#letGo();
  }

  /** The page is seen again. */
  wake() {
    if (!this.#isWanted) return;
    this.#letGo();
    this.#take();
  }

  #take() {
    // Only where the page came over https or from this machine; elsewhere the screen dims as it always does.
    if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
    this.#lock = navigator.wakeLock.request("screen").catch(() => null);
  }

  #letGo() {
    this.#lock?.then((lock) => lock?.release()).catch(() => undefined);
    this.#lock = null;
  }
}
