import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../client/halfmoon_web/css/tokens.css", import.meta.url), "utf8");
const [night, system, day] = [...css.matchAll(/color-scheme: (?:dark|light);([^}]*)}/g)].map(([, body]) =>
  Object.fromEntries([...body.matchAll(/--([\w-]+): (#[0-9a-f]+)/g)].map(([, name, value]) => [name, value])));
const THEMES = { night, day: { ...night, ...day } };

/** @param {string} hex */
function luminance(hex) {
  const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);
  const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2.2. */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const GROUNDS = ["panel", "sky-high", "sky-low"];
const TEXTS = [
  ...["text", "muted", "good", "bad"].flatMap((ink) => GROUNDS.map((ground) => [ink, ground])),
  ["on-accent", "accent"], ["on-accent", "main"], ["ink", "card"], ["red", "card"], ["suit-d", "card"], ["suit-c", "card"],
];
const SIGNS = ["accent", ...Array.from({ length: 8 }, (_, i) => `sign-${i}`)].flatMap((sign) => GROUNDS.map((ground) => [sign, ground]));

for (const [theme, colours] of Object.entries(THEMES)) {
  test(`${theme}: every text is readable (AA, 4.5), every sign and ring is seen (3)`, () => {
    for (const [pairs, least] of [[TEXTS, 4.5], [SIGNS, 3]]) {
      for (const [ink, ground] of pairs) {
        const found = contrast(colours[ink], colours[ground]);
        assert.ok(found >= least, `${ink} on ${ground}: ${found.toFixed(2)}`);
      }
    }
  });
}

test("day is the same whether the system or the player wants it", () => {
  assert.deepEqual(system, day);
});
