/** Our own drawings of suits, court figures and the moon, as SVG. */

import { svg } from "./dom.js";

/** Each suit in a square of 100. */
const SUITS = {
  S: "M50 4C57 24 93 38 93 63C93 76 84 84 73 84C65 84 58 80 54 72C55 83 59 91 67 96H33C41 91 45 83 46 72C42 80 35 84 27 84C16 84 7 76 7 63C7 38 43 24 50 4Z",
  H: "M50 94C42 78 6 58 6 32C6 16 17 7 29 7C39 7 46 13 50 23C54 13 61 7 71 7C83 7 94 16 94 32C94 58 58 78 50 94Z",
  D: "M50 3C59 22 71 38 88 50C71 62 59 78 50 97C41 78 29 62 12 50C29 38 41 22 50 3Z",
  C: "M50 5C62 5 71 14 71 25C71 32 68 37 63 41C66 39 70 38 74 38C86 38 95 47 95 59C95 71 86 80 74 80C65 80 58 76 54 69C55 81 59 90 67 96H33C41 90 45 81 46 69C42 76 35 80 26 80C14 80 5 71 5 59C5 47 14 38 26 38C30 38 34 39 37 41C32 37 29 32 29 25C29 14 38 5 50 5Z",
};

/** Half a moon, the dark side cut away, in a square of 100. */
export const CRESCENT = "M62 8C40 12 24 30 24 52C24 76 43 94 66 94C76 94 85 91 92 85C84 101 60 108 38 98C14 88 2 62 12 38C20 18 40 4 62 8Z";

/** The half moon that the piles lie on, and its light, which goes out towards the feet of its arms. */
export function moonSky() {
  const moon = svg("path");
  const element = svg("svg", { class: "moon", "aria-hidden": "true" }, svg("defs", {}, fade("moon-glow"), fade("moon-edge")), moon);
  return {
    element,
    /** @param {number} width @param {number} height @param {string} path */
    draw(width, height, path) {
      element.setAttribute("viewBox", `0 0 ${width} ${height}`);
      moon.setAttribute("d", path);
    },
  };
}

/** @param {string} id */
const fade = (id) =>
  svg("linearGradient", { id, x2: 0, y2: 1 },
    svg("stop", { class: `${id}-high` }), svg("stop", { class: `${id}-high`, offset: 0.3 }),
    svg("stop", { class: `${id}-low`, offset: 1 }));

/** Shoulders, face and eyes are everybody's; what is worn and grown tells them apart.  Around 0, 0; a radius of 32. */
const SHOULDERS = "M-25.5 23C-22 15 -11 13 0 13C11 13 22 15 25.5 23A34.5 34.5 0 0 1 -25.5 23Z";
const EYES = "M-4 -3.5a1.5 1.5 0 1 0 .1 0ZM4 -3.5a1.5 1.5 0 1 0 .1 0Z";
const FACE = "M-9 -9H9V3C9 11 4 16 0 16C-4 16 -9 11 -9 3Z";
const WORN = {
  K: [
    "M-13 -8L-17 -25L-8 -17L0 -29L8 -17L17 -25L13 -8Z",
    "M-9 1C-5 4 -3 2 0 3C3 2 5 4 9 1C10 13 5 21 0 23C-5 21 -10 13 -9 1Z",
  ],
  Q: [
    "M-10 -8L-12 -19L-5 -14L0 -23L5 -14L12 -19L10 -8Z",
    "M-12 -24a2.6 2.6 0 1 0 .1 0ZM0 -29a2.6 2.6 0 1 0 .1 0ZM12 -24a2.6 2.6 0 1 0 .1 0Z",
    "M-9 -8C-18 -4 -14 8 -19 19C-13 19 -9 15 -9 8ZM9 -8C18 -4 14 8 19 19C13 19 9 15 9 8Z",
  ],
  J: [
    "M-14 -7C-16 -20 -4 -23 4 -22C13 -21 15 -14 13 -7C5 -10 -6 -10 -14 -7Z",
    "M5 -19C8 -31 20 -33 27 -25C20 -26 15 -22 12 -16Z",
    "M-9 -8C-14 -5 -13 4 -12 9L-9 6ZM9 -8C14 -5 13 4 12 9L9 6Z",
  ],
};

/**
 * A suit, `size` wide, its upper left corner at x, y.
 * @param {string} suit @param {number} x @param {number} y @param {number} size
 */
export const suitMark = (suit, x, y, size) =>
  svg("path", {
    class: "suit",
    d: SUITS[/** @type {keyof typeof SUITS} */ (suit)],
    transform: `translate(${x} ${y}) scale(${size / 100})`,
  });

/**
 * The medallion of a court card around x, y.
 * @param {string} rank J, Q or K @param {number} x @param {number} y @param {number} radius
 */
export function medallion(rank, x, y, radius) {
  const worn = WORN[/** @type {keyof typeof WORN} */ (rank)];
  return svg("g", { class: "court", transform: `translate(${x} ${y}) scale(${radius / 36})` },
    svg("circle", { class: "ring", r: 34.5 }),
    svg("path", { class: "suit", d: SHOULDERS }),
    svg("path", { class: "skin", d: FACE }), svg("path", { class: "suit", d: EYES }),
    ...worn.map((d) => svg("path", { class: "suit", d })));
}

/**
 * The sign of a racer: a shape, so that it isn't told by colour alone.  In a square of 20.
 * @param {number} sign from 0
 */
export function signShape(sign) {
  const d = signPath(sign);
  return svg("svg", { class: "sign", viewBox: "0 0 20 20", "aria-hidden": "true", "data-sign": Math.max(0, sign) % SHAPES.length },
    svg("path", { d }));
}

/** @param {number} sign from 0 */
export const signPath = (sign) => (sign >= GHOSTS ? SHROUD : SHAPES[Math.max(0, sign) % SHAPES.length]);

/** From here on signs are those of recorded runs that race along: one shape, in the colours of the others. */
export const GHOSTS = 1_024;

/** A ghost, with two eyes. */
const SHROUD = "M10 1C5.6 1 3 4.2 3 8.6V19L6.5 16.4L10 19L13.5 16.4L17 19V8.6C17 4.2 14.4 1 10 1ZM7.3 6.6A1.6 2 0 1 1 7.29 6.6ZM12.7 6.6A1.6 2 0 1 1 12.69 6.6Z";

/** Disc, triangle, square, diamond, star, cross, pentagon, hexagon. */
const SHAPES = [
  "M10 2a8 8 0 1 0 .01 0Z",
  "M10 2L19 18H1Z",
  "M3 3H17V17H3Z",
  "M10 1L19 10L10 19L1 10Z",
  "M10 1L12.5 7.2L19.2 7.6L14 11.8L15.7 18.4L10 14.8L4.3 18.4L6 11.8L.8 7.6L7.5 7.2Z",
  "M7 2H13V7H18V13H13V18H7V13H2V7H7Z",
  "M10 1.5L19 8L15.6 18.5H4.4L1 8Z",
  "M5.5 2.2H14.5L19 10L14.5 17.8H5.5L1 10Z",
];
