/** Keeps the focus where somebody can go on from: what is hidden or gone can't have it. */

/** Browsers before 2024 don't say. @param {HTMLElement} element */
const isVisible = (element) => element.checkVisibility?.() ?? true;

/**
 * Draws, and leads whoever stood on something that went with it to a place that is there.
 * @param {() => void} draw
 * @param {() => HTMLElement | null | undefined} place
 */
export function keepFocus(draw, place) {
  const stood = document.activeElement;
  draw();
  const stands = document.activeElement;
  if (!(stood instanceof HTMLElement) || stood === document.body) return;
  if (stands !== stood && stands !== document.body) return;
  const isThere = stood.isConnected && isVisible(stood) && stood.closest("[inert]") === null;
  if (!isThere) place()?.focus();
}
