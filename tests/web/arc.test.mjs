import assert from "node:assert/strict";
import { test } from "node:test";

import { TALL, arc } from "../../client/halfmoon_web/js/arc.js";

/** Stages as the page's layout leaves them in windows of these sizes, and then some. */
const STAGES = {
  "1280×800": [1010, 740], "1280×720": [1010, 660], "1920×1080": [1640, 1020], "1024×768": [754, 710],
  "768×1024": [768, 850], "820×1180": [820, 1000], "360×640": [360, 460], "390×844": [390, 640],
  "412×915": [412, 720], "640×360": [490, 360], "844×390": [650, 390], "320×568": [320, 400],
  "2560×1440": [2250, 1380], "square": [600, 600],
};

const TOO_SMALL_FOR_40 = new Set(["320×568"]);

const boxes = ({ card, label, spots }) =>
  Object.entries(spots).map(([spot, { x, y }]) => ({ spot, left: x, top: y, right: x + card, bottom: y + card * TALL + label }));

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

for (const [name, [width, height]] of Object.entries(STAGES)) {
  test(`${name}: twenty spots inside the stage, none over another`, () => {
    const all = boxes(arc(width, height));
    assert.equal(all.length, 20);
    for (const box of all) {
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height, `${box.spot} is inside`);
    }
    all.forEach((a, i) => all.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${a.spot} over ${b.spot}`)));
  });

  test(`${name}: a card is 40 to 124 wide`, () => {
    const { card } = arc(width, height);
    assert.ok(card <= 124);
    if (!TOO_SMALL_FOR_40.has(name)) assert.ok(card >= 40, `${card}`);
  });

  test(`${name}: the piles are an arc that opens downwards, the reserve inside`, () => {
    const { spots, card } = arc(width, height);
    const row = [4, 5, 6, 7, 8, 9, 10].map((pile) => spots[pile]);
    assert.ok(row[0].y > row[1].y && row[1].y > row[2].y && row[2].y > row[3].y);
    assert.ok(row[3].y < row[4].y && row[4].y < row[5].y && row[5].y < row[6].y);
    assert.ok(spots[3].y > spots[4].y && spots[2].y > spots[3].y && spots[1].y > spots[2].y);
    assert.ok(spots[11].y > spots[10].y && spots[12].y > spots[11].y);
    for (let i = 1; i <= 8; i++) {
      assert.ok(spots[`R${i}`].x > spots[2].x + card && spots[`R${i}`].x + card < spots[12].x);
      assert.ok(spots[`R${i}`].y > spots[7].y + card * TALL);
    }
  });
}

test("every stage from 300 to 2400 wide and 280 to 1500 high holds everything", () => {
  for (let width = 300; width <= 2_400; width += 70) {
    for (let height = 280; height <= 1_500; height += 61) {
      const all = boxes(arc(width, height));
      const isOut = (b) => b.left < 0 || b.top < 0 || b.right > width || b.bottom > height;
      assert.equal(all.find(isOut), undefined, `${width}×${height}`);
      all.forEach((a, i) => all.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${width}×${height} ${a.spot} ${b.spot}`)));
    }
  }
});

test("a larger stage never has smaller cards", () => {
  for (let size = 300; size < 1_400; size += 50) {
    assert.ok(arc(size + 50, size + 50).card >= arc(size, size).card);
  }
});

test("without labels twenty spots fit into a small tile too, none over another", () => {
  for (const [width, height] of [[154, 140], [236, 180], [320, 300], [480, 260]]) {
    const all = boxes(arc(width, height, true));
    for (const box of all) {
      assert.ok(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height, `${box.spot} is inside ${width}×${height}`);
    }
    all.forEach((a, i) => all.slice(i + 1).forEach((b) => assert.ok(!overlap(a, b), `${a.spot} over ${b.spot} in ${width}×${height}`)));
  }
});
