import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/pagewords.js";
import { resultText } from "../../client/halfmoon_web/js/sharing.js";
import { useLanguage } from "../../client/halfmoon_web/js/words.js";

const standing = (rank, name, status, best) => ({ rank, name, status, best, player: name, score: best, moves: 1, actions: 1, time_ms: 247_900 });

test("a result as a text: who came where and the deal, no card and no move", () => {
  useLanguage("en", []);
  const standings = [standing(1, "Kata", "won", 520), standing(2, "Orsi", "deadlocked", 310)];
  assert.equal(resultText({ standings, code: "HM1-N-AAAAAAB" }),
    "Half Moon Race\n1. Kata: 520, cleared in 4:07\n2. Orsi: 310\nThe deal: HM1-N-AAAAAAB");
});

test("who raced alone has no place", () => {
  useLanguage("en", []);
  assert.equal(resultText({ standings: [standing(1, "Kata", "retired", 35)], code: "HM1-N-AAAAAAB" }),
    "Half Moon Race\nKata: 35 points\nThe deal: HM1-N-AAAAAAB");
  assert.match(resultText({ standings: [standing(1, "Kata", "won", 520)], code: "X" }), /\nKata: 520, cleared in 4:07\n/);
});
