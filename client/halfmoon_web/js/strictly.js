/** JSON as `halfmoon verify` reads it, which is stricter than a browser: 123.0 and 1e2 are no integers. Pure. */

/** Texts and numbers, and what opens and closes. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[[\]{}]/gs;
const INTEGER = /^-?\d+$/;
/** A number that is nowhere right in a record. */
const NO_INTEGER = "0.5";
/** Half a pair, as it may be written. */
const HALF = /\\u[dD][89a-fA-F]/;
const MOST_DEEP = 201;

/**
 * The value of a text; a number that isn't written as an integer is none. Throws a SyntaxError for what is no JSON.
 * @param {string} text @returns {unknown}
 */
export function parseStrictly(text) {
  let depth = 0;
  const strict = text.replace(TOKENS, (token) => {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    else if (token.startsWith('"')) checkWhole(token);
    else if (!INTEGER.test(token)) return NO_INTEGER;
    if (depth > MOST_DEEP) throw new SyntaxError("too deep");
    return token;
  });
  return JSON.parse(strict);
}

/** No half of a pair of surrogates is a character. @param {string} token */
function checkWhole(token) {
  if (HALF.test(token) && /\p{Surrogate}/u.test(JSON.parse(token))) throw new SyntaxError("half a character");
}

/** The text of a file, "" where it isn't UTF-8. @param {ArrayBuffer} bytes */
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}
