/** Names as they are pasted, one a line: a class list, or the columns of a spreadsheet.  Pure.  Contract §5, names. */

/** @typedef {{text: string, fault: "long" | "letters" | "control"}} Fault */
/** @typedef {{names: string[], once: string[], faults: Fault[], doubled: string[]}} NameList once: without those `doubled`, which stand there twice or on the list already */

const MOST_NAME = 24;
/** A number or a mark before a name: "12. Anna", "- Béla". */
const BULLET = /^(?:\d{1,4}[.)]\s+|[-*•–]\s+)/;

/** @param {string} text @param {string[]} [known] names on the list already @returns {NameList} */
export function readNames(text, known = []) {
  const found = text.split(/\r\n|[\n\r]/).map((line) => tidy(joined(line))).filter((name) => name !== "");
  const faults = found.flatMap((name) => {
    const fault = faultOf(name);
    return fault === null ? [] : [{ text: name, fault }];
  });
  const names = found.filter((name) => faultOf(name) === null);
  const seen = new Set(known.map(fold));
  const isDoubled = names.map((name) => seen.has(fold(name)) || !seen.add(fold(name)));
  return { names, once: names.filter((_, i) => !isDoubled[i]), faults, doubled: [...new Set(names.filter((_, i) => isDoubled[i]))] };
}

/** The cells of a line as one name, without those that are empty and without the numbers before it. @param {string} line */
function joined(line) {
  if (!/[\t;,]/.test(line)) return line;
  const cells = (line.match(/"[^"]*"(?=\s*(?:[\t;,]|$))|[^\t;,]+/g) ?? []).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1").trim()).filter((cell) => cell !== "");
  const first = cells.findIndex((cell) => !/^\d{1,9}[.)]?$/.test(cell));
  return cells.slice(Math.max(first, 0)).join(" ");
}

/** @param {string} line */
const tidy = (line) => line.normalize("NFC").trim().replace(BULLET, "").replace(/[\u0020\p{Zs}]+/gu, " ").replace(/^"(.*)"$/, "$1").trim();

/** @param {string} name */
const fold = (name) => name.toLowerCase();

/** @param {string} name @returns {Fault["fault"] | null} */
function faultOf(name) {
  if ([...name].length > MOST_NAME) return "long";
  if (!/[\p{L}\p{N}]/u.test(name)) return "letters";
  return /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2800\u3164\u115f\u1160\uffa0]/u.test(name) ? "control" : null;
}
