import assert from "node:assert/strict";
import { test } from "node:test";

import { Layer, Layers } from "../../client/halfmoon_web/js/layers.js";

/** A window with a history, whose way back takes a moment; `page` hears of what no layer took. */
function frame(...entries) {
  const heard = [];
  const at = {
    entries, page: 0, location: { get href() { return entries.at(-1); } },
    addEventListener: (type, listener) => heard.push(listener),
    history: {
      pushState: (state, title, href) => entries.push(href),
      replaceState: (state, title, href) => entries.splice(-1, 1, href),
      back: () => setImmediate(() => {
        let isTaken = false;
        entries.pop();
        heard.forEach((listener) => listener({ stopImmediatePropagation: () => { isTaken = true; } }));
        if (!isTaken) at.page += 1;
      }),
    },
    async back() {
      at.history.back();
      await at.settle();
    },
    async settle() {
      for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done));
    },
  };
  return at;
}

/** A panel as an element has it. */
function panel(layers) {
  const made = { isOpen: false, show(isOpen) { made.isOpen = isOpen; made.layer.isOpen = isOpen; } };
  made.layer = new Layer(() => made.show(false), () => layers);
  return made;
}

test("the way back closes what is open, the last first, and then leads on", async () => {
  const window = frame("/", "/r/H4K7P");
  const layers = new Layers(window);
  const [one, other] = [panel(layers), panel(layers)];
  one.show(true);
  other.show(true);
  await window.back();
  assert.deepEqual([one.isOpen, other.isOpen, window.page], [true, false, 0]);
  await window.back();
  assert.deepEqual([one.isOpen, window.page, window.entries], [false, 0, ["/", "/r/H4K7P"]]);
  await window.back();
  assert.deepEqual([window.page, window.entries], [1, ["/"]]);
});

test("closed by hand it takes its entry along, and the page hears nothing of that", async () => {
  const window = frame("/", "/r/H4K7P");
  const one = panel(new Layers(window));
  for (const isOpen of [true, true, false, false]) one.show(isOpen);
  await window.settle();
  assert.deepEqual([window.page, window.entries], [0, ["/", "/r/H4K7P"]]);
});

test("closed by what leads to another address, that address stays", async () => {
  const window = frame("/r/H4K7P");
  const one = panel(new Layers(window));
  one.show(true);
  one.show(false);
  window.history.replaceState(null, "", "/");
  await window.settle();
  assert.deepEqual([window.page, window.entries], [0, ["/"]]);
});
