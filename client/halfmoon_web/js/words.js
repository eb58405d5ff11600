/** All visible text, by key, in the player's language: the first screen's, and what `addWords` brings. */

import { home } from "./languages.js";

/**
 * A text; `{name}` stands for a value.  A text with forms is chosen by its `count`.
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Phrase
 * @typedef {Record<string, Phrase>} Table
 */

/** @type {Record<string, Table>} */
export const TABLES = Object.fromEntries(Object.entries(home).map(([code, table]) => [code, { ...table }]));

let language = "en";
/** Made when a text with forms is first asked for: the first screen has none. @type {Intl.PluralRules | null} */
let plurals = null;

/** The language in use. */
export const currentLanguage = () => language;

/** The languages there are, each by its own name. @returns {[string, string][]} */
export const languages = () => Object.entries(TABLES).map(([code, table]) => [code, String(table["language.name"] ?? code)]);

/**
 * @param {string} wanted a language's code, or "auto" for the browser's
 * @param {readonly string[]} offered what the browser's user reads, best first
 */
export function useLanguage(wanted, offered) {
  const codes = [wanted, ...offered].map((code) => code.toLowerCase().split("-")[0]);
  language = codes.find((code) => code in TABLES) ?? "en";
  plurals = null;
}

/** Adds the words of a page that not everybody opens. @param {Record<string, Table>} more by language */
export function addWords(more) {
  for (const [code, table] of Object.entries(more)) Object.assign(TABLES[code] ??= {}, table);
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const phrase = TABLES[language][key] ?? TABLES.en[key] ?? key;
  const text = typeof phrase === "string" ? phrase : form(phrase, Number(values.count ?? 0));
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** @param {Exclude<Phrase, string>} phrase @param {number} count */
function form(phrase, count) {
  plurals ??= new Intl.PluralRules(language);
  return phrase[plurals.select(count)] ?? phrase.other ?? "";
}

/** Whether there is such a text. @param {string} key */
export const has = (key) => key in TABLES.en;

/** The letter of a rank on a card: V D R for the Hungarian bubi, dáma, király. @param {string} rank */
export const rankLetter = (rank) => (rank === "T" ? "10" : "JQK".includes(rank) ? t(`rank.${rank}`) : rank);

/** A card in words, for who hears it. @param {string} card */
export const cardName = (card) => t("card.name", { rank: t(`rank_name.${card[0]}`), suit: t(`suit.${card[1]}`) });

/** m:ss, or h:mm:ss from an hour on. @param {number} ms */
export function duration(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** m:ss.mmm, where thousandths rank, with the language's decimal sign. @param {number} ms */
export const exactTime = (ms) => `${duration(ms)}${(1.5).toLocaleString(language).charAt(1)}${String(ms % 1_000).padStart(3, "0")}`;
