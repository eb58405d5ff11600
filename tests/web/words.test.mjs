import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import "../../client/halfmoon_web/js/recordwords.js";
import "../../client/halfmoon_web/js/resultwords.js";
import { TABLES, cardName, duration, exactTime, rankLetter, t, useLanguage } from "../../client/halfmoon_web/js/words.js";
import { newsWords } from "../../client/halfmoon_web/js/news.js";
import { FIELDS } from "../../client/halfmoon_web/js/options.js";
import "../../client/halfmoon_web/js/tournamentwords.js";
import { OPTIONS } from "./builders.mjs";

const HERE = new URL("../../client/halfmoon_web/js/", import.meta.url);
const files = ["", "elements/"].flatMap((folder) =>
  readdirSync(new URL(folder, HERE)).filter((name) => name.endsWith(".js")).map((name) => new URL(folder + name, HERE)));
const source = files.map((file) => readFileSync(file, "utf8")).join("\n");

/** Keys that the source makes from parts: `status.${…}` and the like. */
const PREFIXES = [...source.matchAll(/`([a-z_]+\.(?:[a-z_]+\.?)*)\$\{/g)].map((match) => match[1]);
const literals = new Set([...source.matchAll(/"([a-z_]+(?:\.\w+)+)"/g)].map((match) => match[1]));

const isUsed = (key) => literals.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));

for (const [language, table] of Object.entries(TABLES)) {
  test(`${language} has the same keys as English`, () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(TABLES.en).sort());
  });

  test(`${language}: every value is filled in, in every form`, () => {
    for (const [key, phrase] of Object.entries(table)) {
      const forms = typeof phrase === "string" ? [phrase] : Object.values(phrase);
      const wanted = new Set(String(JSON.stringify(TABLES.en[key])).match(/\{\w+\}/g) ?? []);
      for (const form of forms) {
        assert.notEqual(form.trim(), "", key);
        for (const slot of form.match(/\{\w+\}/g) ?? []) assert.ok(wanted.has(slot), `${key}: ${slot}`);
      }
    }
  });

  test(`${language}: a text with forms has those that the language needs`, () => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, phrase] of Object.entries(table)) {
      if (typeof phrase !== "string") assert.deepEqual(needed.filter((form) => !(form in phrase)), [], key);
    }
  });
}

test("Hungarian and German say du, and one word for one thing", () => {
  const said = (language) => Object.entries(TABLES[language]).flatMap(([key, phrase]) =>
    (typeof phrase === "string" ? [phrase] : Object.values(phrase)).map((text) => ({ key, text })));
  const formal = /(?<!\p{L})(?:Ön(?:nek|t|é)?|Kérem|[Kk]iszolgáló\p{L}*|[Ll]ink\p{L}*)(?!\p{L})|[Aa]\(z\)/u;
  assert.deepEqual(said("hu").filter(({ text }) => formal.test(text)), []);
  // A race is a verseny and who races a versenyző; a tournament is a bajnokság.
  const ofTournaments = said("hu").filter(({ key }) => /^(next|conduct|organiser|preset|entrant|did|deed|refused|twall)\./.test(key));
  assert.deepEqual(ofTournaments.filter(({ text }) => /verseny(?!ző|ez)/iu.test(text)), []);
  assert.deepEqual(said("de").filter(({ text }) => /(?<!\p{L})(?:Ihre?[nmrs]?|Ihnen)(?!\p{L})/u.test(text)), []);
  // A deal is Karten, and undo is zurücknehmen.
  assert.deepEqual(said("de").filter(({ text }) => /Rückg[aä]ng|Rücknahme|Austeil|Ausgeteilt/iu.test(text)), []);
});

test("every file of words is a language", () => {
  const codes = readdirSync(new URL("words/", HERE)).map((name) => name.replace(".js", ""));
  assert.deepEqual(Object.keys(TABLES).sort(), codes.sort());
});

test("no key is unused", () => {
  assert.deepEqual(Object.keys(TABLES.en).filter((key) => !isUsed(key)), []);
});

test("no key is missing", () => {
  const asked = [...source.matchAll(/\bt\(\s*"([^"]+)"/g)].map((match) => match[1]);
  assert.ok(asked.length > 40);
  assert.deepEqual(asked.filter((key) => !(key in TABLES.en)), []);
  const chosen = [...source.matchAll(/"((?:person|lobby|over|race|spot|reason|banner|copy|bar)\.\w+)"/g)].map((match) => match[1]);
  assert.deepEqual(chosen.filter((key) => !(key in TABLES.en)), []);
});

test("every option is said in words, in each of its values, in every language", () => {
  const values = [OPTIONS, { ...OPTIONS, undo: false, ends: "first_win", public: true, time_limit_ms: null, spectators: "fair", code: "HM1-N-AAAAAAB" },
    { ...OPTIONS, spectators: "scores", countdown_ms: 0, spectator_delay_ms: 1_500 }, { ...OPTIONS, spectators: "none" }];
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    for (const field of FIELDS) {
      for (const options of values) assert.doesNotMatch(field.words(options), /^option\.|\{|undefined/, field.name);
    }
  }
});

test("Hungarian says it in the words of the rules", () => {
  useLanguage("hu", []);
  assert.equal(t("reason.not_eleven"), "Az összegnek 11 értékűnek kell lennie");
  assert.equal(t("reason.need_jack_queen_king"), "Egy bubi, egy dáma és egy király szükséges");
  assert.equal(t("settings.move_errors"), "Lépéshibák");
  assert.equal(t("settings.placement_help"), "Elhelyezési segítség");
  assert.deepEqual(["A", "T", "J", "Q", "K"].map(rankLetter), ["A", "10", "V", "D", "R"]);
  assert.equal(cardName("KH"), "kőr király");
});

test("German court cards are B, D and K", () => {
  useLanguage("de", []);
  assert.deepEqual(["A", "T", "J", "Q", "K"].map(rankLetter), ["A", "10", "B", "D", "K"]);
  assert.equal(cardName("QH"), "Herz Dame");
  assert.equal(t("score.moves", { count: 1 }), "1 Zug");
  assert.equal(t("score.moves", { count: 3 }), "3 Züge");
});

test("English letters, plurals and numbers", () => {
  useLanguage("en", []);
  assert.deepEqual(["A", "T", "J", "Q", "K"].map(rankLetter), ["A", "10", "J", "Q", "K"]);
  assert.equal(t("score.moves", { count: 1 }), "1 move");
  assert.equal(t("score.moves", { count: 2 }), "2 moves");
  assert.equal(cardName("6D"), "6 of diamonds");
});

test("the language is the one set, else the first that the browser's user reads, else English", () => {
  const chosen = (wanted, offered) => {
    useLanguage(wanted, offered);
    return t("language.name");
  };
  assert.equal(chosen("auto", ["hu-HU", "en"]), "Magyar");
  assert.equal(chosen("auto", ["xx", "hu"]), "Magyar");
  assert.equal(chosen("auto", ["xx"]), "English");
  assert.equal(chosen("en", ["hu"]), "English");
});

test("times", () => {
  assert.equal(duration(247_900), "4:07");
  assert.equal(duration(3_661_000), "1:01:01");
  assert.equal(duration(-5), "0:00");
  assert.equal(exactTime(123_045), "2:03.045");
  useLanguage("hu", []);
  assert.equal(exactTime(123_045), "2:03,045");
  useLanguage("en", []);
});

test("no refusal is ever told as a code", () => {
  useLanguage("en", []);
  const codes = ["bad_message", "rate_limited", "wrong_state", "unknown_room", "room_full", "not_allowed", "illegal_move", "unavailable", "something_new"];
  for (const what of codes) assert.doesNotMatch(newsWords({ what, command: "kick" }), /_|error\./, what);
  assert.equal(newsWords({ what: "illegal_move", reason: "not_eleven" }), "The sum must be 11");
  assert.equal(newsWords(null), "");
});
