/** Room ids and links to rooms, as people type and paste them. */

/** The room of this page's address, or "". @param {string} pathname */
export const roomInPath = (pathname) => /^\/r\/([A-Za-z0-9]+)\/?(?:(?:wall|overlay)\/?)?$/.exec(pathname)?.[1].toUpperCase() ?? "";

/** Whether there is a page at this address. @param {string} pathname */
export const isPage = (pathname) => /^\/(?:$|(?:r|t|race|deal|c)\/|(?:replay|organiser|me|daily)\/?$)/.test(pathname);

/** What else than the room itself this address shows of it. @param {string} pathname @returns {"wall" | "overlay" | null} */
export const viewInPath = (pathname) =>
  /** @type {"wall" | "overlay" | undefined} */ (/^\/r\/[A-Za-z0-9]+\/(wall|overlay)\/?$/.exec(pathname)?.[1]) ?? null;

/** The tournament of this page's address, or "". @param {string} pathname */
export const tournamentInPath = (pathname) => /^\/t\/([A-Za-z0-9]+)\/?(?:wall\/?)?$/.exec(pathname)?.[1].toUpperCase() ?? "";

/** @param {string} tournament */
export const tournamentPath = (tournament) => `/t/${tournament}`;

/** Which of the tournament pages this address is. @param {string} pathname @returns {"entrant" | "wall" | "organiser" | null} */
export function tournamentView(pathname) {
  if (/^\/organiser\/?$/.test(pathname)) return "organiser";
  if (tournamentInPath(pathname) === "") return null;
  return /\/wall\/?$/.test(pathname) ? "wall" : "entrant";
}

/** Whether this address is for watching. @param {string} search */
export const asksToWatch = (search) => new URLSearchParams(search).has("watch");

/**
 * The room id in what somebody typed: the id, in any case and with blanks or dashes in it, or a whole link.
 * @param {string} text
 * @returns {string | null} null where there is none
 */
export function roomOf(text) {
  const last = text.trim().replace(/[?#].*$/, "").replace(/\/+$/, "").split("/").at(-1) ?? "";
  const room = last.replace(/[\s-]/g, "");
  // ASCII before the case is changed: there are other letters whose capital is S or K.
  return /^[A-Za-z0-9]{5}$/.test(room) ? room.toUpperCase() : null;
}

/**
 * The page of this server that a pasted link leads to, where it is none of a room: a tournament with its claim, a challenge, a deal, a record.
 * @param {string} text @returns {string | null}
 */
export const otherPageOf = (text) => /^(?:\w+:\/\/)?[^/\s]*(\/(?:t|c|deal|race)\/[\w-]+(?:#claim=[\w%-]+)?)$/.exec(text.trim())?.[1] ?? null;

/** Whether it is an entry code of a tournament: three groups of four. @param {string} text */
export const isEntryCode = (text) => /^[A-Z0-9]{4}[\s-]?[A-Z0-9]{4}[\s-]?[A-Z0-9]{4}$/i.test(text.trim());

/** Signs that no room id holds, for they look like others. @param {string} text @returns {string} those in the text, or "" */
export function lookAlikes(text) {
  const room = roomOf(text) ?? "";
  return [...new Set(room.replace(/[^01ILO]/g, ""))].join(", ");
}

/** The race whose record this address shows, "" where it shows any that is dropped on it, null for other pages. @param {string} pathname */
export const recordInPath = (pathname) =>
  (/^\/replay\/?$/.test(pathname) ? "" : (/^\/race\/([\w-]+)\/?$/.exec(pathname)?.[1] ?? null));

/**
 * Which page of results this address shows, and of what; null for other pages.
 * @param {string} pathname @returns {{page: "deal" | "me" | "daily" | "challenge", id: string} | null}
 */
export function resultsInPath(pathname) {
  const [, own] = /^\/(me|daily)\/?$/.exec(pathname) ?? [];
  if (own) return { page: own === "me" ? "me" : "daily", id: "" };
  const [, kind, id] = /^\/(deal|c)\/([^/]+)\/?$/.exec(pathname) ?? [];
  return kind ? { page: kind === "deal" ? "deal" : "challenge", id } : null;
}

/** @param {string} origin @param {string} challenge */
export const linkToChallenge = (origin, challenge) => `${origin}/c/${encodeURIComponent(challenge)}`;

/** Where a contest's table is, such as that of `daily/2026-11-30`; null where there is no page for it. @param {string} [contest] */
export function linkToContest(contest = "") {
  const [kind, id] = contest.split("/");
  if (kind === "daily") return `/daily?day=${id}`;
  return kind === "challenge" ? linkToChallenge("", id) : null;
}

/** Where a deal is raced anew, and all its results are. @param {string} origin @param {string} code */
export const linkToDeal = (origin, code) => `${origin}/deal/${encodeURIComponent(code)}`;

/** @param {string} origin @param {string} race */
export const linkToRace = (origin, race) => `${origin}/race/${encodeURIComponent(race)}`;

/** @param {string} origin @param {string} room */
export const linkTo = (origin, room) => `${origin}/r/${room}`;
