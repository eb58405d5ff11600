import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const ROOT = new URL("../../client/halfmoon_web/", import.meta.url);
const html = readFileSync(new URL("index.html", ROOT), "utf8");
const scripts = readdirSync(new URL("js/", ROOT), { recursive: true }).map((name) => `js/${String(name).replaceAll("\\", "/")}`);
const read = (path) => readFileSync(new URL(path, ROOT), "utf8");

const STATIC = /^import[^;]*?"(\.[^"]+)";/gm;
const ANY = /^import[^;]*?"(\.[^"]+)";|(?:\bawait|=>) import\("(\.[^"]+)"\)/gm;

/** Every module that is loaded, beginning with this one. */
function reached(path, follows = ANY, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, from, later] of read(path).replace(/\/\*\*.*?\*\//gs, "").matchAll(follows)) {
    reached(new URL(from ?? later, `http://x/${path}`).pathname.slice(1), follows, seen);
  }
  return seen;
}

test("every file that the page names is there", () => {
  const named = [...html.matchAll(/(?:href|src|content)="\/static\/([^"]+)"/g)].map((match) => match[1]);
  assert.ok(named.length > 10);
  assert.deepEqual(named.filter((path) => !existsSync(new URL(path, ROOT))), []);
});

test("the first screen waits for nothing but itself", () => {
  const first = [...reached("js/main.js", STATIC)].sort();
  // Of the words it is sent the part that it needs: tests/server/test_languages.py.
  assert.deepEqual(first.filter((path) => path.startsWith("js/elements/")), ["js/elements/hm-home.js"]);
  assert.match(html, /<script type="module" src="\/static\/js\/main.js" blocking="render">/);
  // What is preloaded shares the line with it.
  assert.doesNotMatch(html, /preload|prefetch/);
});

test("what only some ever see isn't part of what all wait for", () => {
  const all = new Set([...reached("js/main.js", STATIC), ...reached("js/rest.js", STATIC), ...reached("js/app.js", STATIC)]);
  const some = ["watch", "watched", "gallery", "followed", "caption", "standings", "chart", "seal", "keys", "wall", "overlay", "record", "replay", "parted", "tournament", "tournamentwall", "organiser", "conduct", "deal", "me", "daily", "challenge", "lines", "setout", "challenging"];
  assert.deepEqual(some.filter((name) => all.has(`js/elements/hm-${name}.js`)), []);
  for (const name of some) assert.ok(scripts.includes(`js/elements/hm-${name}.js`), name);
});

test("no module lies about unused", () => {
  const modules = scripts.filter((path) => path.endsWith(".js"));
  assert.deepEqual(modules.sort(), [...reached("js/main.js")].sort());
});

test("no inline script, style or handler, and nothing from another host", () => {
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
  for (const path of ["index.html", "css/tokens.css", "css/page.css", "css/board.css", "css/race.css", "css/screens.css", "css/results.css", "css/watch.css", "css/wall.css", "css/replay.css", "css/tables.css", "css/tournament.css"]) {
    assert.doesNotMatch(read(path), /https?:\/\/(?!www\.w3\.org)|@import|url\((?!"#)/, path);
  }
});

test("text is written as text: no HTML strings, no eval", () => {
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setAttribute\("(?:style|on)|srcdoc/;
  for (const path of scripts.filter((name) => name.endsWith(".js"))) assert.doesNotMatch(read(path), forbidden, path);
});

test("the token goes nowhere but into hello and the header of what is asked over HTTP", () => {
  const users = scripts.filter((path) => path.endsWith(".js") && /\.token\b|\btoken:/.test(read(path)));
  const may = ["js/asking.js", "js/follower.js", "js/identity.js", "js/session.js"];
  assert.deepEqual(users.sort(), may.filter((path) => users.includes(path)));
});

test("the manifest names icons that are there, one of them for a mask, and as large as it says", () => {
  const { icons } = JSON.parse(read("manifest.webmanifest"));
  for (const { src, sizes, type } of icons) {
    const file = new URL(src.replace("/static/", ""), ROOT);
    assert.ok(existsSync(file), src);
    if (type !== "image/png") continue;
    const bytes = readFileSync(file);
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    assert.ok(bytes.length < 12_000, src);
  }
  assert.ok(icons.some((icon) => icon.purpose === "maskable"));
});
