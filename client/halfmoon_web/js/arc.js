/**
 * Where everything lies: pure, from the size of the stage to the width of a card and the place of every spot.
 *
 * A card is as wide as the row of seven and the four storeys of the left side allow.  What is left over then
 * opens the arc: first upwards, then outwards, then between the storeys.
 */

/** A card's height by its width. */
export const TALL = 1.4;
const WIDEST = 124;
/** Only a stage that can't hold 40, such as a picture of the game, comes down to this. */
const TINIEST = 22;
/** One without labels among many. */
const TINIEST_BARE = 12;
const STEP = 0.25;

/** @typedef {{x: number, y: number}} Point the upper left corner of a card's face */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */

/**
 * @typedef {object} Arc
 * @property {number} card width of a card
 * @property {number} label height of the line under a card
 * @property {Record<string, Point>} spots
 * @property {Box} note where a sentence can stand: in the hollow, below the reserve
 * @property {string} moon an SVG path: the half moon on whose outer edge the piles lie
 */

/** What belongs to a card of this width. @param {number} card @param {boolean} isBare nothing stands under a card */
function measure(card, isBare) {
  const label = isBare ? 0 : Math.max(16, Math.min(26, Math.round(card * 0.23)));
  // Among many small boards every pixel goes to the cards.
  const air = isBare ? 3 : 4;
  const margin = Math.max(air, card * 0.09);
  const face = card * TALL;
  return {
    card, label, face,
    margin,
    /** room for the lift of a selected card and its ring */
    top: isBare ? 3 : face * 0.07 + 5,
    /** room to the right of a face for the edges of the cards below it */
    gap: Math.max(air, card * 0.06),
    storey: face + label + Math.max(air + 1, card * 0.07),
    /** how much lower the ends of the row lie than its middle */
    rise: card * 0.3,
  };
}

/** @param {ReturnType<typeof measure>} m @param {number} width @param {number} height */
const fitsIn = (m, width, height) =>
  7 * m.card + 6 * m.gap + 2 * m.margin + 2 <= width &&
  m.top + m.rise + 4 * m.storey + 2 <= height;

/** @param {number} width @param {number} height @param {boolean} isBare */
function largest(width, height, isBare) {
  const least = isBare ? TINIEST_BARE : TINIEST;
  let card = WIDEST;
  while (card > least && !fitsIn(measure(card, isBare), width, height)) card -= STEP;
  return measure(card, isBare);
}

/**
 * @param {number} width of the stage, CSS px
 * @param {number} height
 * @param {boolean} [isBare] without the lines under the cards, as small boards are drawn
 * @returns {Arc}
 */
export function arc(width, height, isBare = false) {
  const m = largest(width, height, isBare);
  const spare = Math.max(0, height - (m.top + m.rise + 4 * m.storey + 2));
  const rise = m.rise + Math.min(spare * 0.35, m.face * 0.75);
  const storey = m.storey + Math.min(spare * 0.1, m.face * 0.22);
  const top = m.top + Math.max(0, height - (m.top + rise + 4 * storey + 2)) * 0.3;
  const row = rowOfSeven(m, width);
  const sideTop = top + rise + storey;
  /** @type {Record<string, Point>} */
  const spots = {};
  row.xs.forEach((x, i) => {
    const u = (i - 3) / 3;
    const sag = (1 - Math.sqrt(1 - 0.84 * u * u)) / 0.6;
    spots[String(4 + i)] = { x, y: top + rise * sag };
  });
  const out = [row.out * 0.72, row.out, row.out * 0.9];
  for (let i = 0; i < 3; i++) spots[String(3 - i)] = { x: row.xs[0] - out[i], y: sideTop + storey * i };
  for (let i = 0; i < 2; i++) spots[String(11 + i)] = { x: row.xs[6] + out[i], y: sideTop + storey * i };
  const reserve = placeReserve(m, spots, width);
  Object.assign(spots, reserve.spots);
  return { card: m.card, label: m.label, spots, note: reserve.note(height), moon: crescent(m, spots) };
}

/**
 * The seven across the top, and how much further out the sides may lie.
 * @param {ReturnType<typeof measure>} m @param {number} width
 */
function rowOfSeven(m, width) {
  const room = width - 2 * m.margin - m.card;
  const reach = Math.min(room, m.card * 10.6);
  const out = Math.max(0, Math.min((reach - 6 * (m.card + m.gap)) * 0.26, m.card * 0.75));
  const pitch = (reach - 2 * out) / 6;
  const left = (width - reach) / 2 - m.card / 2 + out;
  return { xs: Array.from({ length: 7 }, (_, i) => left + pitch * i), out };
}

/**
 * Two rows of four in the hollow: under the arc, above the level where the left side ends.
 * @param {ReturnType<typeof measure>} m @param {Record<string, Point>} spots @param {number} width
 */
function placeReserve(m, spots, width) {
  const inner = spots["11"].x - (spots["3"].x + m.card);
  const gap = Math.min((inner - 4 * m.card) / 5, m.card * 0.3);
  const span = 4 * m.card + 3 * gap;
  const roof = spots["5"].y + m.storey;
  const floor = spots["1"].y + m.storey;
  const rows = m.storey * 2;
  const first = Math.min(Math.max(roof, roof + (floor - roof - rows) * 0.42), floor - rows);
  /** @type {Record<string, Point>} */
  const places = {};
  for (let i = 0; i < 8; i++) {
    places[`R${i + 1}`] = {
      x: (width - span) / 2 + (i % 4) * (m.card + gap),
      y: first + (i < 4 ? 0 : m.storey),
    };
  }
  const y = first + rows;
  const x = spots["1"].x + m.card + m.gap * 2;
  const note = (/** @type {number} */ height) => ({ x, y, width: width - 2 * x, height: height - y });
  return { spots: places, note };
}

/**
 * The half moon: its outer edge runs through the middles of the piles, its inner edge around the hollow, and
 * both arms go down as far as the left side does.
 * @param {ReturnType<typeof measure>} m @param {Record<string, Point>} spots
 */
function crescent(m, spots) {
  const [left, right] = [spots["2"].x + m.card * 0.3, spots["12"].x + m.card * 0.7];
  const [top, foot] = [spots["7"].y + m.face * 0.35, spots["1"].y + m.face];
  const rx = (right - left) / 2;
  const level = spots["3"].y + m.storey;
  const thick = m.card * 0.95;
  const high = spots["7"].y + m.storey;
  return `M${r(left)} ${r(foot)}V${r(level)}A${r(rx)} ${r(level - top)} 0 0 1 ${r(right)} ${r(level)}V${r(foot)}`
    + `H${r(right - thick)}V${r(level)}A${r(rx - thick)} ${r(level - high)} 0 0 0 ${r(left + thick)} ${r(level)}V${r(foot)}Z`;
}

/** @param {number} value */
const r = (value) => Math.round(value * 10) / 10;
