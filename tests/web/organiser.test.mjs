import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import "../../client/halfmoon_web/js/tournamentwords.js";
import { byWords, logWords } from "../../client/halfmoon_web/js/logwords.js";
import { found } from "../../client/halfmoon_web/js/attending.js";
import { Device } from "../../client/halfmoon_web/js/device.js";
import { becauseWords } from "../../client/halfmoon_web/js/explaining.js";
import { readNames } from "../../client/halfmoon_web/js/namelist.js";
import { KeyStore, OrganiserApi, isRefused, keyIn, refusalWords } from "../../client/halfmoon_web/js/organiserapi.js";
import { PRESETS, automaticOf, faultIn, longest, requestOf } from "../../client/halfmoon_web/js/presets.js";
import { codesOf } from "../../client/halfmoon_web/js/qrdrawing.js";
import { readTime } from "../../client/halfmoon_web/js/racetimes.js";
import { byName, movedTo, seeded, shuffled } from "../../client/halfmoon_web/js/seeding.js";
import { TABLES, useLanguage } from "../../client/halfmoon_web/js/words.js";
import { entrant, tournament } from "./tournaments.mjs";

/** A server that answers each call with the next of these. */
function server(...answers) {
  const calls = [];
  const keys = new KeyStore(null);
  keys.keep("the-key");
  const api = new OrganiserApi(keys, async (path, options) => {
    calls.push({ path, ...options });
    const [status, said] = answers.shift();
    return { ok: status < 300, status, json: async () => said };
  });
  return { api, calls };
}

test("the preset for a class keeps the time table of docs/tournaments.md, and leaves time of 45 minutes", async () => {
  const page = await readFile(new URL("../../docs/tournaments.md", import.meta.url), "utf8");
  const starts = [...page.matchAll(/^\| (\d+) \| round (\d)/gm)].map(([, minute]) => Number(minute));
  const { rounds, break_ms, race } = PRESETS.lesson;
  const each_min = (race.time_limit_ms + race.countdown_ms + break_ms) / 60_000;
  assert.deepEqual(starts, Array.from({ length: rounds }, (_, i) => Math.floor(starts[0] + i * each_min)));
  const table = Number(/^\| (\d+) \| the table on the wall/m.exec(page)[1]);
  assert.equal(table, Math.ceil(starts[0] + longest({ ...PRESETS.lesson, name: "x" }) / 60_000));
  assert.ok(table <= 35, "ten minutes are left for claims and exports");
  assert.match(page, new RegExp(`series of ${rounds} rounds of ${race.time_limit_ms / 60_000} minutes`));
});

test("the key goes into a header and nowhere else", async () => {
  const { api, calls } = server([201, { tournament: "T4KQ9" }], [200, {}]);
  await api.call("make", "/api/tournaments", { name: "x" });
  await api.in("claims", "T4KQ9", "/entrants");
  assert.deepEqual(calls.map(({ path, method, headers, body }) => [path, method, headers.Authorization, body]), [
    ["/api/tournaments", "POST", "Bearer the-key", '{"name":"x"}'], ["/api/tournaments/T4KQ9/entrants", "GET", "Bearer the-key", undefined],
  ]);
  assert.ok(calls.every(({ path }) => !path.includes("the-key")));
});

test("links with a secret are drawn from the body of a call, some at a time", async () => {
  const links = Array.from({ length: 70 }, (_, i) => `/t/T4KQ9#claim=${i}`);
  const { api, calls } = server([200, { codes: links.slice(0, 50).map(() => ({ side: 1, path: "a" })) }], [200, { codes: links.slice(50).map(() => ({ side: 2, path: "b" })) }]);
  const codes = await codesOf(api, links);
  assert.deepEqual([codes.length, codes[49].path, codes[50].path], [70, "a", "b"]);
  assert.deepEqual(calls.map(({ path }) => path), ["/api/qr", "/api/qr"]);
  assert.deepEqual(calls.flatMap(({ body }) => JSON.parse(body).links), links);
});

test("every refusal is told in words, in every language, and what the state forbids by what is so", async () => {
  const { api } = server([409, { error: "wrong_state", message: "a round is running" }], [401, { error: "unauthorized", message: "x" }]);
  const refused = await api.call("draw", "/x", {}).catch((why) => why);
  assert.ok(isRefused(refused));
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    const codes = ["unauthorized", "rate_limited", "unavailable", "too_big", "wrong_state", "unknown_tournament", "unknown_entrant", "unreachable", "bad_request", "status_502"];
    for (const action of ["draw", "add", "seed", "annul", "correct", "end", "make", "list", "qr", "withdraw"]) {
      for (const code of codes) assert.doesNotMatch(refusalWords({ action, code, message: "" }, null), /refused\.|_|undefined|\{/, `${action} ${code}`);
    }
  }
  useLanguage("en", []);
  assert.match(refusalWords(refused, tournament({ state: "racing" })), /drawn already/);
  assert.match(refusalWords({ ...refused, action: "seed" }, tournament({ state: "racing" })), /round is running/);
  assert.match(refusalWords(refused, tournament()), /at least two/);
  assert.match(refusalWords(refused, tournament({ state: "over" })), /is over/);
  assert.match(refusalWords({ action: "make", code: "bad_request", message: "rounds: too many" }, null), /rounds: too many/);
});

test("a server that doesn't answer changes nothing, and that is said", async () => {
  const api = new OrganiserApi(new KeyStore(null), async () => { throw new TypeError("failed to fetch"); });
  const why = await api.call("draw", "/x", {}).catch((thrown) => thrown);
  assert.equal(why.code, "unreachable");
});

test("the key is read from the fragment of a link", () => {
  assert.equal(keyIn("#dev-key_1"), "dev-key_1");
  assert.equal(keyIn("#a%20b"), "");
  for (const hash of ["", "#", "#%E0%A4%A", `#${"x".repeat(201)}`]) assert.equal(keyIn(hash), "");
});

test("names are read as they are pasted", () => {
  assert.deepEqual(readNames("Anna\r\n\r\n  Kovács   Béla \n3. Cleo\n- Dora\n").names, ["Anna", "Kovács Béla", "Cleo", "Dora"]);
  assert.deepEqual(readNames('Kovács\tBéla\n12\tSmith\t\tAnn\nNagy;Bea\n"Kiss, Cili",8.b').names, ["Kovács Béla", "Smith Ann", "Nagy Bea", "Kiss, Cili 8.b"]);
  assert.deepEqual(readNames("Smith, Ann").names, ["Smith Ann"]);
  assert.deepEqual(readNames("").names, []);
});

test("a name that the server would refuse is named, with its fault; the others count", () => {
  const { names, faults } = readNames(`Anna\n${"x".repeat(25)}\n---\nB\u200Bob\n2. 7`);
  assert.deepEqual(names, ["Anna", "7"]);
  assert.deepEqual(faults.map(({ fault }) => fault), ["long", "letters", "control"]);
});

test("who stands there twice, or is on the list already, is told", () => {
  assert.deepEqual(readNames("Anna\nBen\nanna\nCleo", ["Cleo"]).doubled, ["anna", "Cleo"]);
  assert.deepEqual(readNames("Anna\nBen\nanna\nCleo", ["Cleo"]).once, ["Anna", "Ben"]);
});

test("every preset can be made as it is, and keeps to its time", () => {
  for (const [name, preset] of Object.entries(PRESETS)) {
    const plan = { ...preset, name: "Evening" };
    assert.equal(faultIn(plan), null, name);
    assert.ok(longest(plan) > 0);
  }
  assert.ok(longest({ ...PRESETS.lesson, name: "x" }) < 45 * 60_000);
});

test("a plan is asked for in the fields that its form knows", () => {
  const plan = { ...PRESETS.lan, name: " LAN ", heat_size: 50 };
  assert.deepEqual(requestOf(plan), { name: "LAN", format: "series", entry: "open", race: plan.race, rounds: 6, heat_size: 50 });
  assert.deepEqual(Object.keys(requestOf({ ...plan, format: "knockout" })), ["name", "format", "entry", "race"]);
  assert.equal(longest({ ...plan, format: "knockout" }), null);
  assert.equal(longest({ ...plan, rounds: 2, break_ms: null }), 2 * 615_000, "whoever starts the rounds makes the breaks");
  assert.deepEqual(automaticOf(plan), { break_ms: 120_000, paused: false });
  assert.equal(automaticOf({ ...plan, break_ms: null }), null);
});

test("what is wrong with a plan is found before it is sent", () => {
  const plan = { ...PRESETS.lan, name: "LAN" };
  const faults = [{ name: " … " }, { name: "x".repeat(61) }, { rounds: NaN }, { rounds: 1.5 }, { heat_size: 1 }, { race: { time_limit_ms: null } }, { race: { time_limit_ms: NaN } }, { race: { time_limit_ms: 999 } }, { break_ms: -1 }]
    .map((change) => faultIn({ ...plan, ...change }));
  assert.deepEqual(faults, ["name", "name_long", "rounds", "rounds", "heat_size", "time_limit_ms", "time_limit_ms", "time_limit_ms", "break_ms"]);
  assert.equal(faultIn({ ...plan, format: "knockout", rounds: NaN }), null);
});

test("times are read as they are typed", () => {
  assert.deepEqual(["2:03.045", "2:03", "123.4", "0", "1:02:03.5", "0:00.000"].map(readTime), [123_045, 123_000, 123_400, 0, 3_723_500, 0]);
  assert.deepEqual(["", "x", "2:3", "2:60", "-1", "1.2345"].map(readTime), [null, null, null, null, null, null]);
});

test("a device is called by a number until somebody says its name, and that is kept", () => {
  useLanguage("en", []);
  const kept = new Map();
  const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
  const device = new Device(storage, true, 0.5);
  assert.equal(device.name, "Phone 55");
  assert.equal(new Device(storage, true, 0.9).name, "Phone 55");
  device.call("  Zoë's phone ");
  assert.equal(new Device(storage, true, 0.9).name, "Zoë's phone");
  const forgetful = new Device(null, false, 0);
  forgetful.call("");
  assert.equal(forgetful.name, "Computer 10");
});

test("every call that changes something says on which device", async () => {
  const { api, calls } = server([200, {}]);
  api.device = "Zoë's phone";
  await api.in("announce", "T4KQ9", "/announcement", { text: "Tea" });
  assert.equal(calls[0].headers["Halfmoon-Device"], "Zo%C3%AB's%20phone");
});

test("the log is told in every language, line by line", () => {
  const lines = [
    { what: "tournament_made" }, { what: "entrants_added", names: ["Anna", "Ben"] }, { what: "announced", announcement: "Tea" }, { what: "announced" },
    { what: "automatic_set" }, { what: "automatic_set", break_ms: 20_000, paused: true }, { what: "automatic_set", break_ms: 20_000, paused: false },
    { what: "round_drawn", round: 1 }, { what: "round_drawn", round: 1, names: ["Emil"] }, { what: "heat_added", round: 2, names: ["Anna", "Ben"] },
    { what: "result_corrected", round: 1, entrant: "e1", reason: "misread" },
  ].map((line, i) => ({ seq: i + 1, at: 1, by: "organiser", text: "in English", ...line }));
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    const said = lines.map((line) => logWords(line, tournament()));
    assert.equal(new Set(said).size, lines.length);
    assert.ok(said.every((text) => text !== "in English" && !/[{}]/.test(text)), said.join("\n"));
  }
  useLanguage("en", []);
  assert.equal(logWords({ ...lines[0], what: "eclipse" }, tournament()), "in English");
  assert.deepEqual([byWords(lines[0]), byWords({ ...lines[0], device: "Phone 55" })], ["Organiser", "Phone 55"]);
});

test("every reason for a heat is told in every language, and one that is not known yet is left out", () => {
  const two = [{ entrant: "e1", points: 1.5 }, { entrant: "e2", points: 1 }];
  const reasons = [
    { why: "equal_before" }, { why: "one_deal", count: 28 }, { why: "dealt_out", count: 28, heats: 3, heat_size: 10 },
    { why: "bracket", entrants: [{ entrant: "e1", seed: 1 }, { entrant: "e2", seed: 4 }] }, { why: "not_met", entrants: two }, { why: "meet_again", entrants: two },
    { why: "least_differences", difference: 0.5 }, { why: "bye", entrants: two.slice(1), count: 0 }, { why: "bye", entrants: two.slice(1), count: 2 },
  ];
  for (const language of Object.keys(TABLES)) {
    useLanguage(language, []);
    const said = reasons.map((reason) => becauseWords(tournament(), [reason]));
    assert.equal(new Set(said).size, reasons.length);
    assert.ok(said.every((text) => text !== "" && !/[{}]/.test(text)), said.join("\n"));
    assert.equal(becauseWords(tournament(), [{ why: "the_moon" }]), "");
  }
  useLanguage("en", []);
  assert.equal(becauseWords(tournament(), [reasons[4], reasons[7]]), "Anna (1.5 points) and Ben (1 point) hadn't met before. Ben (1 point) has the bye: the lowest in the table who had none before.");
});

test("seeds are moved to a place, ordered by name as the language sorts, and by lot", () => {
  const order = ["e1", "e2", "e3", "e4"];
  assert.deepEqual(movedTo(order, "e4", 1), ["e4", "e1", "e2", "e3"]);
  assert.deepEqual(movedTo(order, "e1", 3), ["e2", "e3", "e1", "e4"]);
  assert.deepEqual([movedTo(order, "e2", 0), movedTo(order, "e2", 99)].map((one) => one.indexOf("e2")), [0, 3]);
  const names = ["Team 10", "Zoë", "Ágnes", "Team 9", "Bea"].map((name, i) => entrant(i + 1, { name, seed: 5 - i }));
  assert.deepEqual(seeded(names).map((one) => one.seed), [1, 2, 3, 4, 5]);
  assert.deepEqual(byName(names, "hu"), ["e3", "e5", "e4", "e1", "e2"]);
  assert.deepEqual(shuffled(order, () => 0), ["e2", "e3", "e4", "e1"]);
  assert.deepEqual(shuffled(order, () => 0.999), order);
});

test("people are looked for by a part of their name, without regard to accents, and by who is here", () => {
  const all = [entrant(1, { name: "Kovács Ágnes" }), entrant(2, { name: "Agnes Nagy", online: false }), entrant(3, { name: "Ben", taken: false, online: false }), entrant(4, { active: false })];
  const names = (filter, typed) => found(all, filter, typed).map((line) => line.entrant);
  assert.deepEqual(names("all", "agnes"), ["e1", "e2"]);
  assert.deepEqual(names("all", " ÁGN kov"), ["e1"]);
  assert.deepEqual(["online", "away", "absent", "gone"].map((filter) => names(filter, "")), [["e1"], ["e2"], ["e3"], ["e4"]]);
});
