import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import { FIELDS, boundsOf, labelOf } from "../../client/halfmoon_web/js/options.js";
import { TABLES, useLanguage } from "../../client/halfmoon_web/js/words.js";
import { OPTIONS } from "./builders.mjs";

const field = (name) => FIELDS.find((one) => one.name === name);

test("every option of the contract has a field", () => {
  assert.deepEqual(FIELDS.map((one) => one.name).sort(), [...Object.keys(OPTIONS), "code"].sort());
});

test("what a field shows, it reads back as the same value", () => {
  const options = { ...OPTIONS, code: "HM1-N-AAAAAAB", time_limit_ms: 90_500, spectator_delay_ms: 1_250 };
  for (const one of FIELDS) assert.deepEqual(one.write(one.read(options)), { [one.name]: options[one.name] }, one.name);
});

test("an empty code is a fresh sealed deal, an empty limit is none", () => {
  assert.deepEqual(field("code").write("  "), { code: null });
  assert.deepEqual(field("time_limit_ms").write(""), { time_limit_ms: null });
});

test("numbers are read with point or comma, and kept within the contract's bounds", () => {
  assert.deepEqual(field("time_limit_ms").write("2,5"), { time_limit_ms: 150_000 });
  assert.deepEqual(field("countdown_ms").write("1.5"), { countdown_ms: 1_500 });
  for (const bad of ["0", "-1", "1441", "ten", "1e99", "NaN"]) assert.equal(field("time_limit_ms").write(bad), null, bad);
  for (const bad of ["", "61", "-1"]) assert.equal(field("countdown_ms").write(bad), null, bad);
  for (const bad of ["", "0", "1001", "x"]) assert.equal(field("max_players").write(bad), null, bad);
});

test("spectators may be any of the four", () => {
  assert.deepEqual(field("spectators").choices().map(([value]) => value), ["open", "fair", "scores", "none"]);
});

test("what a field that is written in takes is said by its name, in every language", () => {
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    for (const one of FIELDS.filter(({ kind }) => kind === "text" || kind === "number")) {
      const name = labelOf({ ...one, unit: null });
      assert.ok(boundsOf(one).startsWith(`${name}: `), boundsOf(one));
    }
  }
});
