/** Names as they are pasted: a column of a spreadsheet, a class list, a line with commas.  Pure.  Contract §5, names. */

/** @typedef {{text: string, fault: "long" | "letters" | "control"}} Fault */
/** @typedef {{names: string[], faults: Fault[], doubled: string[]}} NameList doubled: names that stand there twice, or on the list already */

const MOST_NAME = 24;
/** A number or a mark before a name: "12. Anna", "- Béla". */
const BULLET = /^(?:\d{1,4}[.)]\s+|[-*•–]\s+)/;

/** @param {string} text @param {string[]} [known] names on the list already @returns {NameList} */
export function readNames(text, known = []) {
  const lines = text.split(/\r\n|[\n\r\t;]/).flatMap((line) => (text.includes("\n") ? [line] : line.split(",")));
  const found = lines.map(tidy).filter((name) => name !== "");
  const faults = found.flatMap((name) => {
    const fault = faultOf(name);
    return fault === null ? [] : [{ text: name, fault }];
  });
  const names = found.filter((name) => faultOf(name) === null);
  const seen = new Set(known.map(fold));
  const doubled = names.filter((name) => seen.has(fold(name)) || !seen.add(fold(name)));
  return { names, faults, doubled: [...new Set(doubled)] };
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
