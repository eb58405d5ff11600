/** The six reactions: their names on the wire, and our own drawing of each.  In a square of 24. */

import { svg } from "./dom.js";

/** @typedef {import("./messages.js").ReactionKind} Reaction */

/** @type {Record<Reaction, string>} */
const DRAWN = {
  wow: "M12 2.5L14.2 8.4L20.5 6L17.6 12L21.5 17L15.4 16.4L12 21.5L8.6 16.4L2.5 17L6.4 12L3.5 6L9.8 8.4Z",
  nice: "M4 11H8V20H4ZM8 12L12 3.5C14 3.5 14.8 5 14.4 7L13.8 9.5H19C20.4 9.5 21 10.6 20.7 11.8L19 18.4C18.7 19.4 18 20 17 20H8",
  ouch: "M13.5 2.5L5 13.5H11L9.5 21.5L19 9.5H12.6Z",
  thinking: "M4 4.5H20V16H12L7 20.5V16H4ZM8.4 10.2h.01M12 10.2h.01M15.6 10.2h.01",
  hurry: "M6 3H18M6 21H18M7.5 3C7.5 8.5 11 10 11.4 12C11 14 7.5 15.5 7.5 21M16.5 3C16.5 8.5 13 10 12.6 12C13 14 16.5 15.5 16.5 21",
  gg: "M7 4H17V10C17 13 15 15 12 15C9 15 7 13 7 10ZM7 6H3.8C3.8 9 5 11 7.4 11.4M17 6H20.2C20.2 9 19 11 16.6 11.4M12 15V19M8 20.5H16",
};

export const REACTIONS = /** @type {Reaction[]} */ (Object.keys(DRAWN));

/** @param {string} name @returns {name is Reaction} */
export const isReaction = (name) => name in DRAWN;

/** @param {Reaction} reaction */
export const reactionSign = (reaction) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: DRAWN[reaction], "stroke-linejoin": "round" }));
