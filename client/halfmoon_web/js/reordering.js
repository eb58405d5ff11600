/** Dragging a line of a list to another place, with the finger, the mouse or the arrow keys. */

/** So near to the edge of the list, in pixels, it scrolls, and by so much a frame. */
const EDGE = 36;
const STEP = 9;

/**
 * Lets the children of `list` be dragged by what fits `grip` in them.
 * @param {HTMLElement} list which scrolls by itself where it is long @param {string} grip
 * @param {(key: string, place: number) => void} put a line was put to this place, from 1; also to the one that it had
 * @param {AbortSignal} signal
 */
export function reorderable(list, grip, put, signal) {
  /** @type {{line: HTMLElement, from: number, y: number, frame: number} | null} */
  let held = null;
  const place = (/** @type {Element} */ line) => [...list.children].indexOf(line) + 1;

  const follow = () => {
    if (held === null) return;
    const { top, bottom } = list.getBoundingClientRect();
    if (held.y < top + EDGE) list.scrollTop -= STEP;
    else if (held.y > bottom - EDGE) list.scrollTop += STEP;
    const over = [...list.children].find((child) => {
      const box = child.getBoundingClientRect();
      return child !== held?.line && held !== null && held.y > box.top && held.y < box.bottom;
    });
    if (over) over[place(over) > place(held.line) ? "after" : "before"](held.line);
    held.frame = requestAnimationFrame(follow);
  };
  const drop = (/** @type {boolean} */ isMeant) => {
    if (held === null) return;
    cancelAnimationFrame(held.frame);
    const { line, from } = held;
    held = null;
    line.classList.remove("held");
    put(line.dataset.key ?? "", isMeant ? place(line) : from);
  };

  list.addEventListener("pointerdown", (event) => {
    const handle = event.target instanceof Element ? event.target.closest(grip) : null;
    const line = handle?.closest("[data-key]");
    if (!(line instanceof HTMLElement) || !(handle instanceof HTMLElement) || event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    list.setPointerCapture(event.pointerId);
    line.classList.add("held");
    held = { line, from: place(line), y: event.clientY, frame: requestAnimationFrame(follow) };
  }, { signal });
  list.addEventListener("pointermove", (event) => {
    if (held !== null) held.y = event.clientY;
  }, { signal });
  list.addEventListener("pointerup", () => drop(true), { signal });
  list.addEventListener("pointercancel", () => drop(false), { signal });
  signal.addEventListener("abort", () => drop(false));
  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    const line = by !== 0 && event.target instanceof Element && event.target.matches(grip) ? event.target.closest("[data-key]") : null;
    if (!(line instanceof HTMLElement)) return;
    event.preventDefault();
    put(line.dataset.key ?? "", place(line) + by);
  }, { signal });
}
