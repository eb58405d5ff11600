/** Dragging a card with finger, pen or mouse.  A press that doesn't move stays a click. */

/** From here on it is a drag. */
const FAR_PX = 9;

/**
 * @param {HTMLElement} layer
 * @param {(event: Event) => string | null} spotOf
 * @param {(spot: string) => HTMLElement | null} cardOf the card to drag, null where none may be
 * @param {(from: string, to: string) => void} dropped
 * @param {AbortSignal} signal ends it
 */
export function listenForDrags(layer, spotOf, cardOf, dropped, signal) {
  /** @type {{id: number, spot: string, x: number, y: number, ghost: HTMLElement | null} | null} */
  let drag = null;

  const end = () => {
    drag?.ghost?.remove();
    if (drag) cardOf(drag.spot)?.classList.remove("lifted");
    drag = null;
  };

  layer.addEventListener("pointerdown", (event) => {
    const spot = spotOf(event);
    if (drag || spot === null || !event.isPrimary || event.button !== 0 || !cardOf(spot)) return;
    drag = { id: event.pointerId, spot, x: event.clientX, y: event.clientY, ghost: null };
  }, { signal });

  // Over the whole page, for a finger may leave the table and come back.
  window.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.ghost && Math.hypot(dx, dy) < FAR_PX) return;
    const card = cardOf(drag.spot);
    if (!card) return end();
    drag.ghost ??= lift(layer, card);
    drag.ghost.style.transform = `translate(${dx}px, ${dy}px) rotate(2deg)`;
  }, { signal });

  window.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { spot, ghost } = drag;
    end();
    if (!ghost) return;
    swallowClick(layer);
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-spot]");
    const to = under && layer.contains(under) ? under.getAttribute("data-spot") : null;
    if (to !== null && to !== spot) dropped(spot, to);
  }, { signal });

  window.addEventListener("pointercancel", end, { signal });
}

/** @param {HTMLElement} layer @param {HTMLElement} card */
function lift(layer, card) {
  const [ground, box] = [layer.getBoundingClientRect(), card.getBoundingClientRect()];
  const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
  ghost.classList.add("ghost", "dragged");
  ghost.style.left = `${box.left - ground.left}px`;
  ghost.style.top = `${box.top - ground.top}px`;
  card.classList.add("lifted");
  layer.append(ghost);
  return ghost;
}

/** The click that ends a drag is none. @param {HTMLElement} layer */
function swallowClick(layer) {
  const swallow = (/** @type {Event} */ event) => event.stopImmediatePropagation();
  layer.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => layer.removeEventListener("click", swallow, { capture: true }));
}
