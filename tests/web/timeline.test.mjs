import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { WAITING, advanced, faster, hashOf, momentInHash, stepped, toggled } from "../../client/halfmoon_web/js/playback.js";
import { liveOrder } from "../../client/halfmoon_web/js/ranking.js";
import { START, endOf, jumpFrom, momentAt, roomAt, runAt, stepsUntil, timelineOf, touched } from "../../client/halfmoon_web/js/timeline.js";
import { verify } from "../../client/halfmoon_web/js/verify.js";

const VECTORS = JSON.parse(readFileSync(new URL("../vectors/replays.json", import.meta.url), "utf8"));
const timelines = VECTORS.map(({ record }) => timelineOf(verify(JSON.stringify(record)).replay));

test("steps are all actions in order of time", () => {
  for (const [i, { steps, own }] of timelines.entries()) {
    const { players } = VECTORS[i].record;
    assert.equal(steps.length, players.reduce((sum, line) => sum + line.actions.length, 0));
    steps.slice(1).forEach((step, j) => assert.ok(step.at_ms >= steps[j].at_ms));
    own.forEach((places, seat) => assert.deepEqual(places.map((place) => steps[place].number), players[seat].actions.map((_, j) => j + 1)));
  }
});

test("at any moment every board is as after the actions until then", () => {
  for (const timeline of timelines) {
    const { record, runs } = timeline.replay;
    for (const at_ms of [0, 1, 999, 10_000, 60_000, 100_000, timeline.length_ms - 1]) {
      const moment = momentAt(timeline, at_ms);
      assert.equal(moment.step, timeline.steps.filter((step) => step.at_ms <= at_ms).length);
      record.players.forEach(({ actions }, seat) => {
        const made = actions.filter((action) => action.at_ms <= at_ms).length;
        assert.equal(runAt(timeline, seat, moment), runs[seat][made]);
      });
    }
  }
});

test("the last moment is as the standings say", () => {
  for (const timeline of timelines) {
    const room = roomAt(timeline, endOf(timeline));
    assert.deepEqual(liveOrder(room).slice(0, 1).map((line) => line.player), [timeline.replay.record.standings[0].player]);
    for (const line of timeline.replay.record.standings) {
      const { status, score, best, moves, best_at_ms } = room.players.find((one) => one.player === line.player);
      assert.deepEqual([status, score, best, moves, best_at_ms], [line.status, line.score, line.best, line.moves, line.time_ms]);
    }
    assert.ok(roomAt(timeline, START).players.every((line) => line.score === 0));
  }
});

test("who leads changes where another has more, or has won, and never after the first win", () => {
  for (const timeline of timelines) {
    const { replay, steps } = timeline;
    let leader = -1;
    for (const [i, step] of steps.entries()) {
      if (step.marks.includes("lead")) leader = step.seat;
      const order = liveOrder(roomAt(timeline, { at_ms: step.at_ms, step: i + 1 })).filter((line) => line.best > 0);
      const isLevel = step.seat !== leader && order[0]?.status !== "won" && order.some((line) => line.player === replay.record.players[step.seat].player && line.best === order[0].best && line.best_at_ms === step.at_ms);
      assert.equal(step.marks.includes("level"), isLevel, String(i));
      if (order.length > 0) assert.equal(replay.record.players[leader].player, order[0].player, String(i));
    }
  }
});

test("marks say where a jump leads, of all or of one racer", () => {
  const timeline = timelines.find(({ steps }) => steps.filter((step) => step.marks.includes("undo")).length > 2);
  const undos = timeline.steps.flatMap((step, i) => (step.marks.includes("undo") ? [i + 1] : []));
  const seen = [];
  for (let next = jumpFrom(timeline, 0, 1, "undo", null); next; next = jumpFrom(timeline, next.step, 1, "undo", null)) seen.push(next.step);
  assert.deepEqual(seen, undos);
  const back = [];
  for (let next = jumpFrom(timeline, timeline.steps.length + 1, -1, "undo", null); next; next = jumpFrom(timeline, next.step, -1, "undo", null)) back.push(next.step);
  assert.deepEqual(back, undos.toReversed());
  const { seat } = timeline.steps[undos[1] - 1];
  const own = jumpFrom(timeline, 0, 1, "undo", seat);
  assert.equal(timeline.steps[own.step - 1].seat, seat);
  assert.equal(jumpFrom(timeline, timeline.steps.length, 1, null, null), null);
});

test("a deadlock is marked where a board gets stuck, the end where it ends", () => {
  for (const { steps, replay } of timelines) {
    for (const step of steps) {
      const [before, after] = [step.number - 1, step.number].map((i) => replay.runs[step.seat][i]);
      assert.equal(step.marks.includes("deadlocked"), before.position.status === "racing" && after.position.status === "deadlocked");
      assert.equal(step.marks.includes("won"), after.position.status === "won");
      assert.equal(step.marks.includes("retired"), after.left === "retired");
    }
  }
});

test("an undo touches the spots of its move", () => {
  const { replay } = timelines.find(({ steps }) => steps.some((step) => step.marks.includes("undo")));
  const seat = replay.record.players.findIndex(({ actions }) => actions.some((action) => action.undo));
  const { actions } = replay.record.players[seat];
  const at = actions.findIndex((action) => action.undo);
  assert.deepEqual(touched(replay, seat, at + 1).sort(), [...actions[at - 1].move].sort());
});

test("times between steps", () => {
  const steps = [5, 5, 9].map((at_ms) => ({ at_ms }));
  assert.deepEqual([0, 4, 5, 8, 9, 99].map((ms) => stepsUntil(steps, ms)), [0, 0, 2, 2, 3, 3]);
});

const [timeline] = timelines;

test("a replay runs as fast as it is told to, rests at its end, and begins again from there", () => {
  const playing = toggled({ ...WAITING, speed: 32 }, timeline);
  assert.equal(advanced(playing, timeline, 100).moment.at_ms, 3_200);
  assert.equal(advanced(WAITING, timeline, 100), WAITING);
  const done = advanced(playing, timeline, timeline.length_ms);
  assert.deepEqual([done.isPlaying, done.moment], [false, endOf(timeline)]);
  assert.deepEqual(toggled(done, timeline).moment, START);
  assert.equal(toggled(playing, timeline).isPlaying, false);
});

test("one step on and one back is where one was, and both rest", () => {
  const one = stepped({ ...WAITING, isPlaying: true }, timeline, 1, null);
  const two = stepped(one, timeline, 1, null);
  assert.deepEqual([one.isPlaying, one.moment.step, two.moment.step], [false, 1, 2]);
  assert.deepEqual(stepped(two, timeline, -1, null).moment, one.moment);
  assert.deepEqual(stepped(one, timeline, -1, null).moment, START);
});

test("between two actions, a step back takes back the last one", () => {
  const at = timeline.steps.findIndex((step, i) => i > 1 && step.at_ms + 1 < timeline.steps[i + 1].at_ms);
  const between = momentAt(timeline, timeline.steps[at].at_ms + 1);
  assert.equal(between.step, at + 1);
  const back = stepped({ ...WAITING, moment: between }, timeline, -1, null).moment;
  assert.deepEqual(back, { at_ms: timeline.steps[at - 1].at_ms, step: at });
});

test("one racer's steps are that racer's", () => {
  const seat = timeline.steps.at(-1).seat;
  let playback = WAITING;
  for (const number of [1, 2, 3]) {
    playback = stepped(playback, timeline, 1, seat);
    assert.deepEqual([timeline.steps[playback.moment.step - 1].seat, timeline.steps[playback.moment.step - 1].number], [seat, number]);
  }
});

test("speeds end at 1 and 32", () => {
  assert.equal(faster({ ...WAITING, speed: 32 }, 1).speed, 32);
  assert.equal(faster({ ...WAITING, speed: 1 }, -1).speed, 1);
  assert.equal(faster({ ...WAITING, speed: 4 }, 1).speed, 8);
});

test("a link to a moment names time and racer, and nothing odd is read from one", () => {
  assert.equal(hashOf(83_000.4, "p_1"), "#t=83000&p=p_1");
  assert.equal(hashOf(0, null), "#t=0");
  assert.deepEqual(momentInHash("#t=83000&p=p_1"), { at_ms: 83_000, player: "p_1" });
  assert.deepEqual(momentInHash(""), { at_ms: null, player: null });
  for (const odd of ["#t=-1", "#t=1e9", "#t=NaN", "#t=" + "9".repeat(40)]) assert.equal(momentInHash(odd).at_ms, null, odd);
});
