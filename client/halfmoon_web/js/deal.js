/** From a code to the deal, as everywhere else.  Contract §2. */

import { SPOTS } from "./cards.js";
import { sha256 } from "./sha256.js";

/** @typedef {string[][]} Deal the cards of each of `SPOTS`, bottom to top */

const PACK = [..."SHDC"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));
const PILES = 12;
const HEIGHT = 8;

/** The words that a code gives, one after the other. @param {string} code @returns {Generator<number, never>} */
function* wordsOf(code) {
  for (let block = 0; ; block++) {
    const counter = [24, 16, 8, 0].map((shift) => String.fromCharCode((block >>> shift) & 0xff)).join("");
    const digest = sha256(`${code}\0${counter}`);
    for (let at = 0; at < digest.length; at += 8) yield parseInt(digest.slice(at, at + 8), 16);
  }
}

/** A uniform number below `bound`. @param {Generator<number, never>} words @param {number} bound */
function below(words, bound) {
  for (;;) {
    const word = words.next().value;
    if (word < 2 ** 32 - (2 ** 32 % bound)) return word % bound;
  }
}

/** The 104 cards: piles 1…12 bottom to top, then R1…R8. @param {string} code canonical */
export function deckOf(code) {
  const [cards, words] = [[...PACK, ...PACK], wordsOf(code)];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(words, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** @param {string} code canonical @returns {Deal} */
export function dealOf(code) {
  const deck = deckOf(code);
  return SPOTS.map((_, i) => (i < PILES ? deck.slice(HEIGHT * i, HEIGHT * (i + 1)) : [deck[HEIGHT * PILES + i - PILES]]));
}
