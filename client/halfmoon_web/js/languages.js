/** The languages there are, a line each, and what each has for a part of the pages.  What is sent of it: `words_by_part` of the server. */

import * as de from "./words/de.js";
import * as en from "./words/en.js";
import * as hu from "./words/hu.js";

/** @typedef {import("./words.js").Table} Table */

/** @type {Record<string, Record<string, Table>>} */
const LANGUAGES = { de, en, hu };

/** @param {string} name @returns {Record<string, Table>} by language */
const part = (name) => Object.fromEntries(Object.entries(LANGUAGES).map(([code, parts]) => [code, parts[name] ?? {}]));

export const home = part("home");
export const page = part("page");
export const records = part("records");
export const results = part("results");
export const tournaments = part("tournaments");
