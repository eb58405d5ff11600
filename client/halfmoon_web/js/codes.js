/** Game codes as people type them.  Contract §2. */

/**
 * The canonical form of a code: ASCII case, blanks around it and dashes anywhere don't count.
 * @param {string} text @returns {string | null} null where it is none
 */
export function canonicalCode(text) {
  const body = text.replace(/^[ \t\r\n\f\v]+|[ \t\r\n\f\v]+$/g, "");
  // ASCII before the case is changed: there are other letters whose capital is S.
  if (!/^[A-Za-z0-9-]+$/.test(body)) return null;
  const found = /^HM1(N[A-Z]{7}|S[A-Z]{28})$/.exec(body.replaceAll("-", "").toUpperCase());
  return found && `HM1-${found[1][0]}-${found[1].slice(1)}`;
}
