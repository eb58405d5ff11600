import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/resultwords.js";
import { linkToBoth, linkToRun, ranked, rulesInSearch, rulesQuery, rulesWords, withOwn } from "../../client/halfmoon_web/js/tables.js";
import { momentInHash } from "../../client/halfmoon_web/js/playback.js";
import { useLanguage } from "../../client/halfmoon_web/js/words.js";

const line = (player, best, time_ms = 0, actions = 0, race = `r_${player}`) =>
  ({ player, name: player, status: "retired", best, time_ms, actions, moves: actions, race });

test("exact equals share a rank, and the next one is counted on: 1, 2, 2, 4", () => {
  const lines = [line("a", 50), line("b", 40, 7, 4), line("c", 40, 7, 4), line("d", 40, 7, 5)];
  assert.deepEqual(ranked(lines).map(({ rank }) => rank), [1, 2, 2, 4]);
  assert.deepEqual(ranked([line("a", 40, 7), line("b", 40, 8)]).map(({ rank }) => rank), [1, 2]);
  assert.deepEqual(ranked([]), []);
});

test("one's own lines stand at their ranks, and on top where they come later than all that is shown", () => {
  const lines = ranked([line("a", 50), line("me", 40), line("b", 30), line("me", 20)]);
  const [own, others] = [lines.filter(({ player }) => player === "me"), lines.filter(({ player }) => player !== "me")];
  const shown = (isAll) => withOwn(own, others, isAll).map(({ player, rank }) => `${rank} ${player}`);
  assert.deepEqual(shown(true), ["1 a", "2 me", "3 b", "4 me"]);
  assert.deepEqual(shown(false), ["4 me", "1 a", "2 me", "3 b"]);
});

test("a line leads to the replay of its run, a ghost's to the run that it was", () => {
  const link = linkToRun({ race: "r_1", player: "p_1" });
  assert.equal(link.split("#")[0], "/race/r_1");
  assert.deepEqual(momentInHash(`#${link.split("#")[1]}`), { at_ms: 0, player: "p_1" });
  assert.match(linkToRun({ race: "r_1", player: "p_1.2", ghost: { player: "p_1" } }), /p=p_1$/);
});

test("two lines lead to where they are compared, be they of one race or of two", () => {
  assert.equal(linkToBoth(line("p_1", 10), line("p_2", 10)), "/race/r_p_1?with=r_p_2&one=p_1&other=p_2");
  assert.equal(linkToBoth(line("p_1", 10, 0, 0, "r"), line("p_2", 10, 0, 0, "r")), "/race/r?one=p_1&other=p_2");
});

test("a class of rules is asked for by all that makes it, and found in an address again", () => {
  const asked = rulesQuery({ undo: false, time_limit_ms: null, ends: "first_win" });
  assert.equal(asked, "undo=false&time_limit_ms=none&ends=first_win");
  assert.equal(rulesInSearch(`?${asked}&after=9&with=r_1`), asked);
  assert.equal(rulesInSearch("?after=9"), "");
});

test("a class of rules is said in words", () => {
  useLanguage("en", []);
  assert.equal(rulesWords({ undo: true, time_limit_ms: 900_000, ends: "all" }), "undo allowed, time limit 15:00, everybody finishes");
  assert.equal(rulesWords({ undo: false, time_limit_ms: null, ends: "first_win" }), "no undo, no time limit, ends at the first win");
});
