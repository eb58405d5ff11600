/** The order of seeds: pure, from one order of entrants to the next. */

/** @typedef {import("./messages.js").EntrantLine} EntrantLine */

/** Everybody's entry in the order of seeds. @param {EntrantLine[]} entrants */
export const seeded = (entrants) => [...entrants].sort((one, other) => one.seed - other.seed);

/**
 * With this one at that place, the others in their order around them.
 * @param {string[]} order @param {string} entrant @param {number} place from 1; nearer ends stand for what lies beyond them
 */
export function movedTo(order, entrant, place) {
  const others = order.filter((one) => one !== entrant);
  others.splice(Math.max(0, Math.min(others.length, place - 1)), 0, entrant);
  return others;
}

/** By name as the language sorts, numbers in names by their size. @param {EntrantLine[]} entrants @param {string} language */
export function byName(entrants, language) {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return [...entrants].sort((one, other) => compare(one.name, other.name)).map((one) => one.entrant);
}

/** By lot, every order as likely as any other. @param {string[]} order @param {() => number} lot from 0 up to 1 */
export function shuffled(order, lot) {
  const mixed = [...order];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = Math.floor(lot() * (i + 1));
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}
