import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { sha256 } from "../../client/halfmoon_web/js/sha256.js";
import { sealOf } from "../../client/halfmoon_web/js/sealing.js";
import { isSealed } from "../../client/halfmoon_web/js/seals.js";

test("the vectors of FIPS 180-4", () => {
  assert.equal(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.equal(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
});

test("every length around the edges of a block, as Node has it", () => {
  for (let length = 0; length < 200; length++) {
    const text = "HM1-S-".repeat(40).slice(0, length);
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), String(length));
  }
});

test("a seal is the same with and without the browser's own SHA-256", async () => {
  const code = "HM1-S-" + "ABCDEFG".repeat(4);
  assert.equal(await sealOf(code), sha256(code));
  assert.equal(isSealed(code), true);
  assert.equal(isSealed("HM1-N-AAAAAAB"), false);
});
