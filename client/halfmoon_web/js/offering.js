/** The offer of a replay: a link that opens beside the room, so that nobody leaves it. */

import { el, svg } from "./dom.js";
import { linkToRace } from "./links.js";

/** A link that leads nowhere yet; its words are the caller's. */
export const replayLink = () =>
  el("a", { class: "button replay-link", target: "_blank", rel: "noopener", hidden: true },
    svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M7 4.5L19 12L7 19.5Z", "stroke-linejoin": "round" })));

/**
 * The race that a room offers to look at again, undefined while there is none to be told.
 * @param {import("./room.js").Room} room @returns {string | undefined}
 */
export const replayedIn = ({ state, code, race, last_race }) =>
  state === "over" ? (code === undefined ? undefined : race) : state === "lobby" ? last_race : undefined;

/** Leads it to the replay of this race, or hides it. @param {HTMLAnchorElement} link @param {string | undefined} race */
export function offerReplay(link, race) {
  link.hidden = race === undefined;
  if (race !== undefined) link.href = linkToRace("", race);
}
