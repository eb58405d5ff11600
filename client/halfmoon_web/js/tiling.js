/** How many boards go side by side, so that their cards are as large as can be: pure arithmetic. */

import { arc } from "./arc.js";

/** What the frame of a tile and the caption in it take of its size, in CSS px. */
const FRAME = 8;
const CAPTION = 42;
export const GAP = 8;
/** A card narrower than this can't be read: then the tiles go on below the fold. */
const LEAST_CARD = 16;
/** The shape of a small board. */
const SHAPE = 0.9;

/** @typedef {{columns: number, width: number, height: number, card: number}} Tiling size of a tile, and of a card in it */

/**
 * @param {number} count how many tiles
 * @param {number} width of the place for all of them @param {number} height
 * @param {number} [least] width of a card below which the tiles go on below the fold; 0 where nobody can scroll
 * @returns {Tiling}
 */
export function tiling(count, width, height, least = LEAST_CARD) {
  const ways = Array.from({ length: Math.max(1, count) }, (_, i) => inColumns(i + 1, width, share(height, Math.ceil(count / (i + 1)))));
  const best = ways.reduce((one, other) => (other.card > one.card ? other : one));
  return best.card >= least ? best : scrolling(count, width);
}

/** @param {number} columns @param {number} width @param {number} height of a tile @returns {Tiling} */
function inColumns(columns, width, height) {
  const tile = share(width, columns);
  return { columns, width: tile, height, card: arc(tile - FRAME, height - FRAME - CAPTION, true).card };
}

/** As many side by side as can be read. @param {number} count @param {number} width @returns {Tiling} */
function scrolling(count, width) {
  const ways = Array.from({ length: Math.max(1, count) }, (_, i) => {
    const table = (share(width, i + 1) - FRAME) * SHAPE;
    return inColumns(i + 1, width, Math.ceil(table + FRAME + CAPTION));
  });
  return ways.filter((way) => way.card >= LEAST_CARD).at(-1) ?? ways[0];
}

/** @param {number} length @param {number} parts */
const share = (length, parts) => Math.floor((length - GAP * (parts - 1)) / Math.max(1, parts));
