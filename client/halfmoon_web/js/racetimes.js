/** Times of a race as people type them.  Pure. */

/** `1:02:03.045`, `2:03.045`, `2:03`, `123.045` or `123` in ms; null where it is none. @param {string} text */
export function readTime(text) {
  const found = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!found) return null;
  const [, hours = "0", minutes, seconds, thousandths = ""] = found;
  if (minutes !== undefined && (Number(seconds) > 59 || seconds.length !== 2)) return null;
  return ((Number(hours) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)) * 1_000 + Number(thousandths.padEnd(3, "0"));
}
