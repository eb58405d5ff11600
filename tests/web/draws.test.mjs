import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { checked, drawnCode } from "../../client/halfmoon_web/js/draws.js";
import { sha256 } from "../../client/halfmoon_web/js/sha256.js";
import { share } from "../../client/halfmoon_web/js/shares.js";

/** @type {{secret: string, commit: string, room: string, race: string, nonces: string[], code: string}[]} */
const vectors = JSON.parse(readFileSync(new URL("../vectors/draws.json", import.meta.url), "utf8"));

/** @param {(typeof vectors)[0]} vector */
const drawOf = ({ secret, commit, nonces }) => ({ secret, commit, nonces: Object.fromEntries(nonces.map((one, i) => [`p_${i}`, one])) });

test("the same code as the engine's, whatever the secret and however many nonces", () => {
  for (const vector of vectors) assert.equal(drawnCode(drawOf(vector), vector.room, vector.race), vector.code);
  assert.ok(vectors.length > 5);
});

test("a draw fits, and every change of it shows", () => {
  const vector = vectors[3];
  const draw = drawOf(vector);
  assert.equal(checked(draw, vector), "fits");
  const other = "0".repeat(64);
  assert.equal(checked({ ...draw, secret: other }, vector), "broken");
  assert.equal(checked({ ...draw, secret: other, commit: sha256("\0".repeat(32)) }, { ...vector, commit: undefined }), "broken");
  assert.equal(checked(draw, { ...vector, commit: other }), "broken");
  assert.equal(checked({ ...draw, nonces: {} }, vector), "broken");
  assert.equal(checked(draw, { ...vector, race: "r_other" }), "broken");
  assert.equal(checked(draw, { ...vector, code: vectors[0].code }), "broken");
});

test("who said a share and doesn't find it is told", () => {
  const vector = vectors[4];
  const own = share(vector.commit);
  assert.match(own, /^[0-9a-f]{32}$/);
  assert.equal(checked(drawOf(vector), vector), "left_out");
  const draw = { ...drawOf(vector), nonces: { p_me: own } };
  assert.equal(checked(draw, { ...vector, code: drawnCode(draw, vector.room, vector.race) }), "fits");
});
