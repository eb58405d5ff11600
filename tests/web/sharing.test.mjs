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

test("the link leads to where the same deal is raced; where each has one try, the deal isn't told", () => {
  useLanguage("en", []);
  const result = { standings: [standing(1, "Kata", "won", 520), standing(2, "Orsi", "retired", 310)], code: "HM1-N-AAAAAAB" };
  const link = (room) => resultText({ ...result, ...room }, "https://play.example").split("\n").slice(3);
  assert.deepEqual(link({}), ["The deal: HM1-N-AAAAAAB", "Race it too: https://play.example/deal/HM1-N-AAAAAAB"]);
  assert.deepEqual(link({ contest: "challenge/Q1", options: { max_players: 16 } }),
    ["The deal: HM1-N-AAAAAAB", "Race it too: https://play.example/c/Q1"]);
  assert.deepEqual(link({ contest: "challenge/Q1", options: { max_players: 1 } }), ["Race it too: https://play.example/c/Q1"]);
  assert.deepEqual(link({ contest: "daily/2026-12-01", options: { max_players: 1 } }), ["Race it too: https://play.example/daily?day=2026-12-01"]);
  assert.deepEqual(link({ contest: "tournament/T/1" }), ["The deal: HM1-N-AAAAAAB", "Race it too: https://play.example/deal/HM1-N-AAAAAAB"]);
});
