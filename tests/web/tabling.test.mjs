import assert from "node:assert/strict";
import { test } from "node:test";

import "../../client/halfmoon_web/js/tournamentwords.js";
import { TableKeeper } from "../../client/halfmoon_web/js/tablekeeper.js";
import { COLUMNS, cellText, podium, pointsText, roundText, roundsIn } from "../../client/halfmoon_web/js/tabling.js";
import { useLanguage } from "../../client/halfmoon_web/js/words.js";
import { tournament } from "./tournaments.mjs";

const row = (rank, more = {}) => ({ rank, entrant: `e${rank}`, name: "Anna", points: 2.5, wins: 2, best: 310, time_ms: 61_005, rounds: [], active: true, ...more });

test("every value that ranks has its column", () => {
  const ranks = { series: ["points", "wins", "best", "time_ms"], swiss: ["points", "buchholz", "sonneborn_berger", "best", "time_ms"], knockout: ["points"] };
  for (const [format, values] of Object.entries(ranks)) assert.deepEqual(values.filter((value) => !COLUMNS[format].includes(value)), [], format);
});

test("values are written out in full, in the numbers of the language", () => {
  useLanguage("en", []);
  assert.equal(pointsText("series", 187.5), "187.50");
  assert.equal(pointsText("swiss", 2.5), "2.5");
  assert.equal(cellText("swiss", row(1, { sonneborn_berger: 4.25 }), "sonneborn_berger"), "4.25");
  assert.equal(cellText("series", row(1), "time_ms"), "1:01.005");
  useLanguage("hu", []);
  assert.equal(pointsText("series", 187.5), "187,50");
});

test("a bye and an absence are told beside their points", () => {
  useLanguage("en", []);
  assert.equal(roundText("swiss", { round: 1, points: 1, bye: true }), "1 bye");
  assert.equal(roundText("series", { round: 1, points: 0, absent: true }), "0.00 away");
  assert.equal(roundText("series", undefined), "–");
});

test("the podium holds all equals of the first three places, and nobody who earned nothing", () => {
  const rows = [row(1), row(2), row(2, { entrant: "e9" }), row(4), row(3, { points: 0 })];
  assert.deepEqual(podium(rows).map(({ entrant }) => entrant), ["e1", "e2", "e9"]);
  assert.deepEqual(roundsIn([row(1, { rounds: [{ round: 3, points: 1 }, { round: 1, points: 1 }] }), row(2, { rounds: [{ round: 1, points: 0 }] })]), [1, 3]);
});

test("the table is asked for once for each change, and again where it couldn't be had", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  let isUp = false;
  let comes = 0;
  const keeper = new TableKeeper(() => (comes += 1), async (path) => {
    asked.push(path);
    return { ok: isUp, status: isUp ? 200 : 503, json: async () => ({ rule: "", rows: [row(asked.length)] }) };
  });
  await keeper.follow(tournament());
  assert.equal(keeper.standings, null);
  isUp = true;
  context.mock.timers.tick(5_000);
  await new Promise(setImmediate);
  assert.deepEqual([asked.length, comes, keeper.standings.rows[0].rank], [2, 1, 2]);
  await keeper.follow(tournament());
  assert.equal(asked.length, 2);
  await keeper.follow(tournament({ state: "break", round: 1 }));
  assert.deepEqual([asked.length, comes], [3, 2]);
});
