/**
 * What lies open over a page: the browser's way back closes it before it leads anywhere else.
 * Each has an entry of its own in the history, which goes with it however it is closed.
 */

/**
 * What of a window is used.
 * @typedef {object} Frame
 * @property {Pick<History, "pushState" | "replaceState" | "back">} history
 * @property {{href: string}} location
 * @property {(type: "popstate", heard: (event: Event) => void, isCaptured: boolean) => void} addEventListener
 */

export class Layers {
  #frame;
  /** @type {Layer[]} */
  #open = [];
  /** The address to be at once an entry is gone, one for each that goes. @type {string[]} */
  #going = [];

  /** @param {Frame} frame */
  constructor(frame) {
    this.#frame = frame;
    // Before the page hears of it: what was closed here led nowhere.
    frame.addEventListener("popstate", (event) => this.#went(event), true);
  }

  /** @param {Layer} layer */
  opened(layer) {
    this.#open.push(layer);
    this.#frame.history.pushState(null, "", this.#frame.location.href);
  }

  /** @param {Layer} layer */
  closed(layer) {
    const at = this.#open.indexOf(layer);
    if (at < 0) return;
    this.#open.splice(at, 1);
    // Whatever closed it may lead to another address first.
    queueMicrotask(() => {
      this.#going.push(this.#frame.location.href);
      this.#frame.history.back();
    });
  }

  /** @param {Event} event */
  #went(event) {
    const { history, location } = this.#frame;
    const wanted = this.#going.shift();
    if (wanted !== undefined) {
      if (location.href !== wanted) history.replaceState(null, "", wanted);
      event.stopImmediatePropagation();
      return;
    }
    const layer = this.#open.pop();
    if (layer === undefined) return;
    event.stopImmediatePropagation();
    layer.close();
  }
}

/** @type {Layers | null} */
let ours = null;

export class Layer {
  #isOpen = false;
  #layers;

  /** @param {() => void} close @param {() => Layers} [layers] those of the page */
  constructor(close, layers = () => (ours ??= new Layers(window))) {
    this.#layers = layers;
    this.close = () => {
      this.#isOpen = false;
      close();
    };
  }

  /** Whether it is open by now; to be told at every change, or as often as one likes. */
  set isOpen(/** @type {boolean} */ isOpen) {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (isOpen) this.#layers().opened(this);
    else this.#layers().closed(this);
  }
}
