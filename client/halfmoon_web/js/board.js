/** A board after an answer: pure, (board, message) to board. */

/**
 * @typedef {import("./messages.js").Board} Board
 * @typedef {Extract<import("./messages.js").Message, {type: "moved"}>} Moved
 * @typedef {Extract<import("./messages.js").Message, {type: "undone"}>} Undone
 */

/**
 * @param {Board} board @param {Moved} message
 * @returns {Board}
 */
export function moved(board, message) {
  const { turn, revealed, score, moves, status } = message;
  return { ...withCards(board, revealed, -1), turn, score, moves, status, can_undo: true };
}

/**
 * @param {Board} board @param {Undone} message
 * @returns {Board}
 */
export function undone(board, message) {
  const { turn, restored, score, moves, status } = message;
  return { ...withCards(board, restored, +1), turn, score, moves, status, can_undo: moves > 0 };
}

/**
 * The board with other cards exposed on some spots, and so many cards more on each of these piles.
 * @template {Pick<Board, "piles" | "reserve">} B
 * @param {B} board @param {Record<string, string | null>} cards @param {number} more
 */
export function withCards(board, cards, more) {
  const piles = board.piles.slice();
  const reserve = board.reserve.slice();
  for (const [spot, card] of Object.entries(cards)) {
    const place = Number(spot.replace("R", "")) - 1;
    if (spot.startsWith("R")) reserve[place] = card;
    else piles[place] = { top: card, count: piles[place].count + more };
  }
  return { ...board, piles, reserve };
}
