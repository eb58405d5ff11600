import assert from "node:assert/strict";
import { test } from "node:test";

import { TournamentDoor } from "../../client/halfmoon_web/js/tournamentdoor.js";
import {
  asksToWatch, isEntryCode, isPage, linkTo, linkToChallenge, linkToContest, linkToRace, lookAlikes, otherPageOf, recordInPath, resultsInPath, roomInPath, roomOf, viewInPath,
} from "../../client/halfmoon_web/js/links.js";

test("a room id is found in any case, with blanks and dashes, and in a whole link", () => {
  for (const text of ["H4K7P", "h4k7p", " h4k 7p ", "H4-K7P", "https://play.example/r/h4k7p", "http://10.0.0.2:8080/r/H4K7P/", "/r/H4K7P?x=1#y"]) {
    assert.equal(roomOf(text), "H4K7P", text);
  }
});

test("what is no room id is none", () => {
  for (const text of ["", "H4K7", "H4K7PP", "https://play.example/", "ſſſſſ"]) assert.equal(roomOf(text), null, text);
});

test("the address of a page tells its room", () => {
  assert.equal(roomInPath("/r/h4k7p"), "H4K7P");
  assert.equal(roomInPath("/r/H4K7P/"), "H4K7P");
  assert.equal(roomInPath("/"), "");
  assert.equal(linkTo("https://play.example", "H4K7P"), "https://play.example/r/H4K7P");
});

test("a pasted link to something else than a room leads there", () => {
  for (const [text, path] of [
    ["http://192.168.1.20:8080/t/T4KQ9#claim=8JWM-QY3C-AAAA", "/t/T4KQ9#claim=8JWM-QY3C-AAAA"], ["play.example/t/T4KQ9", "/t/T4KQ9"],
    [" https://play.example/c/abc_1 ", "/c/abc_1"], ["/deal/HM1-N-AAAAAAB", "/deal/HM1-N-AAAAAAB"],
  ]) assert.equal(otherPageOf(text), path);
  for (const text of ["H4K7P", "https://play.example/r/H4K7P", "//evil.example", "javascript:/t/x y", "/t/", "/t/a/b", "x/t/a#<script>"]) assert.equal(otherPageOf(text), null, text);
  assert.deepEqual(["8JWM-QY3C-AAAA", "8jwm qy3c aaaa", "8JWMQY3CAAAA", "H4K7P", "8JWM-QY3C"].map(isEntryCode), [true, true, true, false, false]);
});

test("a tournament's id that is typed for a room's leads to the tournament, and nothing else does", async () => {
  const asked = [];
  const gone = [];
  const door = new TournamentDoor(async (path) => ({ status: asked.push(path) === 1 ? 200 : 404, body: null, at: 0 }), (path) => gone.push(path));
  const unknown = { what: "unknown_room", command: "join_room" };
  await door.told(unknown);
  for (const id of ["T4KQ9", "H4K7P"]) {
    door.tried(id);
    await door.told(null);
    await door.told({ ...unknown, what: "room_full" });
    await door.told(unknown);
    await door.told(unknown);
  }
  assert.deepEqual(asked, ["/api/tournaments/T4KQ9", "/api/tournaments/H4K7P"]);
  assert.deepEqual(gone, ["/t/T4KQ9"]);
});

test("a race has an address, and records that come from elsewhere have one", () => {
  assert.equal(recordInPath("/race/r_0fdd28eb02314d2c"), "r_0fdd28eb02314d2c");
  assert.equal(recordInPath(linkToRace("", "r_1")), "r_1");
  for (const path of ["/replay", "/replay/"]) assert.equal(recordInPath(path), "");
  for (const path of ["/", "/race/", "/race/a/b", "/race/%2e", "/r/replay", "/replay/x"]) assert.equal(recordInPath(path), null, path);
});

test("signs that look like others are named, for no room id holds them", () => {
  assert.equal(lookAlikes("h4k7p"), "");
  assert.equal(lookAlikes(" h0k1p "), "0, 1");
  assert.equal(lookAlikes("https://play.example/r/OLOLI"), "O, L, I");
});

test("a room has a wall and an overlay, and nothing else below it", () => {
  assert.equal(roomInPath("/r/h4k7p/wall"), "H4K7P");
  assert.equal(viewInPath("/r/h4k7p/wall"), "wall");
  assert.equal(viewInPath("/r/H4K7P/overlay/"), "overlay");
  assert.equal(viewInPath("/r/H4K7P"), null);
  for (const path of ["/r/H4K7P/other", "/wall", "/r/wall/H4K7P"]) {
    assert.equal(roomInPath(path), "", path);
    assert.equal(viewInPath(path), null, path);
  }
});

test("an address may ask to watch", () => {
  assert.equal(asksToWatch("?watch"), true);
  assert.equal(asksToWatch("?a=1&watch="), true);
  assert.equal(asksToWatch(""), false);
});

test("the pages of results", () => {
  assert.deepEqual(resultsInPath("/deal/HM1-N-AAAAAAB"), { page: "deal", id: "HM1-N-AAAAAAB" });
  assert.deepEqual(resultsInPath(linkToChallenge("", "ABCDEFGHJKMN")), { page: "challenge", id: "ABCDEFGHJKMN" });
  assert.deepEqual(resultsInPath("/me/"), { page: "me", id: "" });
  assert.deepEqual(resultsInPath("/daily"), { page: "daily", id: "" });
  for (const path of ["/", "/deal", "/c/", "/c/a/b", "/me/x", "/r/H4K7P", "/race/r_1"]) assert.equal(resultsInPath(path), null, path);
});

test("a contest's table has its page, where it is of a kind that has one", () => {
  assert.equal(linkToContest("daily/2026-11-30"), "/daily?day=2026-11-30");
  assert.equal(linkToContest("challenge/ABC"), "/c/ABC");
  for (const other of [undefined, "heat/1"]) assert.equal(linkToContest(other), null);
});

test("whether there is a page at an address", () => {
  for (const path of ["/", "/r/H4K7P", "/r/x/wall", "/t/ABCDE", "/race/r_1", "/deal/HM1-N-AAAAAAB", "/c/A", "/me", "/me/", "/daily", "/replay", "/organiser"]) {
    assert.equal(isPage(path), true, path);
  }
  for (const path of ["/nosuch", "/r", "/meadow", "/me/x", "/replay/x", "//"]) assert.equal(isPage(path), false, path);
});
