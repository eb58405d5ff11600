/** Addresses as people read them off a screen and type them. */

import { el } from "./dom.js";

/** Shows an address in pieces: a line may break between them, but never within the id of a room or a race. @param {HTMLElement} place @param {string} address */
export function showAddress(place, address) {
  if (place.textContent === address) return;
  const pieces = address.split(/(?<=\/)/);
  place.replaceChildren(...pieces.flatMap((piece) => [el("span", {}, piece), el("wbr")]));
}
