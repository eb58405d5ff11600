import assert from "node:assert/strict";
import { test } from "node:test";

import { Clock } from "../../client/halfmoon_web/js/clock.js";

/** A line with these delays there and back, between a page and a server `ahead` of it. */
function exchange(clock, time, ahead, there, back) {
  const t = time.now;
  const at = t + there + ahead;
  time.now += there + back;
  clock.sample(t, at);
}

const started = (now = 1_000) => {
  const time = { now };
  return { time, clock: new Clock(() => time.now) };
};

test("an answer over a line that is equally slow both ways gives the server's time", () => {
  const { time, clock } = started();
  exchange(clock, time, 5_000_000, 100, 100);
  assert.equal(clock.serverNow(), time.now + 5_000_000);
});

test("the quickest answer counts, whenever it came", () => {
  const { time, clock } = started();
  exchange(clock, time, 7_000, 400, 20);
  exchange(clock, time, 7_000, 10, 10);
  exchange(clock, time, 7_000, 20, 400);
  assert.equal(clock.serverNow(), time.now + 7_000);
});

test("the server's time goes on between answers", () => {
  const { time, clock } = started();
  exchange(clock, time, 7_000, 10, 10);
  time.now += 12_345;
  assert.equal(clock.serverNow(), time.now + 7_000);
});

test("after a sleep that stopped the page's clock the newest answer counts", () => {
  const { time, clock } = started();
  exchange(clock, time, 7_000, 1, 1);
  exchange(clock, time, 7_000 + 3_600_000, 150, 150);
  assert.equal(clock.serverNow(), time.now + 7_000 + 3_600_000);
});

test("with jitter of 200 ms the error stays below the quickest round trip", () => {
  const { time, clock } = started();
  for (let i = 0; i < 20; i++) exchange(clock, time, 9_000, 300 + (i * 37) % 200, 300 + (i * 91) % 200);
  assert.ok(Math.abs(clock.serverNow() - time.now - 9_000) <= 100);
});

test("before the first answer the welcome's time is good enough", () => {
  const { time, clock } = started();
  clock.welcome(time.now + 7_000);
  time.now += 30;
  assert.equal(clock.serverNow(), time.now + 7_000);
  exchange(clock, time, 7_050, 10, 10);
  assert.equal(clock.serverNow(), time.now + 7_050);
});
