import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import { faultWords } from "../../client/halfmoon_web/js/faults.js";
import { readRecord } from "../../client/halfmoon_web/js/record.js";
import { TABLES, useLanguage } from "../../client/halfmoon_web/js/words.js";

const source = ["record", "verify"].map((name) => readFileSync(new URL(`../../client/halfmoon_web/js/${name}.js`, import.meta.url), "utf8")).join("\n");
const whats = new Set([...source.matchAll(/\b(?:refuse|refused|faultOf)\("(\w+)"/g)].map((match) => match[1]));
for (const kind of ["result_file", "export"]) whats.add(kind);
const VALUES = { place: "players.0", name: "Ann", number: 3, column: "time_ms", told: "1", found: 2, expected_ms: 60_000, ended_ms: 61_000 };
const REASONS = ["unknown_spot", "same_spot", "wrong_count", "empty_spot", "need_jack_queen_king", "not_eleven"];

test("every fault of a record is said in words, in every language", () => {
  assert.ok(whats.size > 20, String(whats.size));
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    for (const what of whats) {
      for (const reason of REASONS) {
        assert.doesNotMatch(faultWords({ what, place: "", values: { ...VALUES, reason } }), /fault\.|reason\.|column\.|\{|undefined/, what);
      }
    }
  }
});

test("a fault names who, where and what", () => {
  useLanguage("en", []);
  const say = (what, values) => faultWords({ what, place: "", values });
  assert.equal(say("illegal", { name: "Ann", number: 3, reason: "not_eleven" }), "Ann, action 3: this move can't be made. The sum must be 11");
  assert.equal(say("end", { expected_ms: 60_000, ended_ms: 61_000 }), "The race is said to have ended after 1:01, but it ended after 1:00.");
  assert.equal(say("standing", { name: "Ann", column: "time_ms", told: "1", found: 2 }),
    "Standings, Ann, Best reached at: 1 is written there, but by the actions it is 2.");
});

test("another file than a record is told by its kind", () => {
  const what = (value) => readRecord(JSON.stringify(value)).fault?.what;
  assert.equal(what({ format: "halfmoon-result/1", tournament: {}, races: [] }), "result_file");
  assert.equal(what({ tournament: { name: "Cup" }, standings: { rows: [] }, log: [] }), "export");
  assert.equal(what({ rows: [] }), "export");
  assert.equal(what({ race: "r_1", tournament: "T4KQ9" }), "shape");
  assert.equal(what(null), "shape");
  assert.equal(what([]), "shape");
});
