/** Spots by typing: 1 to 12, and R1 to R8.  Pure.  A 1 may be the first half of 10, 11 or 12, so it waits. */

/** How long a first half waits for the second. */
export const WAIT_MS = 700;

/**
 * @param {string} held what was typed and waits: "", "1" or "R"
 * @param {string} key
 * @returns {{held: string, spots: string[]} | null} null where the key means nothing here
 */
export function typed(held, key) {
  const sign = key.toUpperCase();
  if (held === "1" && /^[0-2]$/.test(sign)) return { held: "", spots: [held + sign] };
  if (held === "R" && /^[1-8]$/.test(sign)) return { held: "", spots: [held + sign] };
  const before = flushed(held);
  if (sign === "1" || sign === "R") return { held: sign, spots: before };
  if (/^[2-9]$/.test(sign)) return { held: "", spots: [...before, sign] };
  return null;
}

/** What waited long enough. @param {string} held @returns {string[]} */
export const flushed = (held) => (held === "1" ? [held] : []);
