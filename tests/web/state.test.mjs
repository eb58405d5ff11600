import assert from "node:assert/strict";
import { test } from "node:test";

import { NOTHING, haveRead, told as newsTold } from "../../client/halfmoon_web/js/state.js";
import { SEAL, OPTIONS, after, board, from, line, moved, room, started, told, undone, welcome } from "./builders.mjs";

const inLobby = after(welcome(), room());
const racing = from(inLobby, started(), { type: "board", room: "H4K7P", board: board() });
const players = (state) => state.room.players.map((one) => one.player);
const lineOf = (state, player) => state.room.players.find((one) => one.player === player);

test("welcome says who one is, and keeps the token out of the state", () => {
  assert.deepEqual(after(welcome()), { ...NOTHING, me: { player: "p_kata", name: "kata" } });
});

test("room is taken as it is", () => {
  assert.equal(inLobby.room.room, "H4K7P");
  assert.equal(inLobby.room.state, "lobby");
  assert.deepEqual(players(inLobby), ["p_orsi", "p_kata"]);
});

test("a name that looks like another's is shown with its number, everywhere", () => {
  const state = after(welcome(), room({
    host: "p_kata", host_name: "Orsi",
    players: [{ ...line("p_orsi"), name: "Orsi" }, { ...line("p_kata"), name: "Orsi", number: 2 }],
  }));
  assert.equal(lineOf(state, "p_kata").name, "Orsi ②");
  assert.equal(state.room.host_name, "Orsi ②");
  const joined = { type: "player_joined", name: "Orsi", as: "player", ready: false, online: true };
  const more = from(state, told(11, { ...joined, player: "p_c", number: 3 }), told(12, { ...joined, player: "p_d", number: 21 }));
  assert.deepEqual(more.room.players.map((one) => one.name), ["Orsi", "Orsi ②", "Orsi ③", "Orsi (21)"]);
  const rank = (player) => ({ rank: 1, player, name: "Orsi", status: "retired", score: 0, best: 0, moves: 0, actions: 0, time_ms: 0 });
  const standings = [rank("p_kata"), rank("p_orsi"), rank("p_gone")];
  const over = from(more, told(13, { type: "over", race: "r", code: "HM1-N-AAAAAAA", seal: SEAL, standings }));
  assert.deepEqual(over.room.standings.map((one) => one.name), ["Orsi ②", "Orsi", "Orsi"]);
});

test("a state is never changed in place", () => {
  const freeze = (value) => {
    if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const frozen = freeze(structuredClone(racing));
  from(frozen, moved(), undone(), told(12, { type: "progress", players: [{ player: "p_orsi", score: 10, moves: 1, status: "racing", best: 10, at_ms: 5 }] }));
});

test("who joins as a player is listed, who joins to watch is counted", () => {
  const state = from(inLobby,
    told(11, { type: "player_joined", player: "p_bence", name: "Bence", as: "player", ready: false, online: true }),
    told(12, { type: "player_joined", player: "p_eva", name: "Éva", as: "spectator", ready: false, online: true }));
  assert.deepEqual(players(state), ["p_orsi", "p_kata", "p_bence"]);
  assert.equal(state.room.spectators, 1);
  assert.equal(state.room.n, 12);
});

test("a wall or an overlay is none of those who watch", () => {
  const wall = { player: "p_wall", name: "Wall", as: "spectator", ready: false, online: true, screen: true };
  const there = from(inLobby, told(11, { type: "player_joined", ...wall }));
  assert.deepEqual([there.room.spectators, there.room.screens], [0, 1]);
  const gone = from(there, told(12, { type: "player_left", player: "p_wall", why: "left", screen: true }));
  assert.deepEqual([gone.room.spectators, gone.room.screens], [0, 0]);
});

test("one's own joining, told again, makes no second seat", () => {
  const own = told(11, { type: "player_joined", player: "p_kata", name: "kata", as: "player", ready: false, online: true });
  assert.deepEqual(players(from(inLobby, own)), ["p_orsi", "p_kata"]);
  const watching = from(inLobby, room({ players: [line("p_orsi")], spectators: 1, you: { as: "spectator" } }));
  const ownWatch = told(11, { type: "player_joined", player: "p_kata", name: "kata", as: "spectator", ready: false, online: true });
  assert.equal(from(watching, ownWatch).room.spectators, 1);
});

test("who leaves the lobby is gone; a spectator is counted off", () => {
  const state = from(inLobby, told(11, { type: "player_left", player: "p_orsi", why: "left" }));
  assert.deepEqual(players(state), ["p_kata"]);
  const watched = after(welcome(), room({ spectators: 2 }));
  assert.equal(from(watched, told(11, { type: "player_left", player: "p_eva", why: "left" })).room.spectators, 1);
});

test("who leaves during a race stays listed, away", () => {
  const state = from(racing, told(12, { type: "player_left", player: "p_orsi", why: "left" }));
  assert.equal(lineOf(state, "p_orsi").online, false);
});

test("being kicked ends the room and is told", () => {
  const state = from(inLobby, told(11, { type: "player_left", player: "p_kata", why: "kicked" }));
  assert.equal(state.room, null);
  assert.equal(state.news.what, "kicked");
});

test("being kicked counts also behind a gap", () => {
  const state = from(inLobby, told(15, { type: "player_left", player: "p_kata", why: "kicked" }));
  assert.equal(state.room, null);
});

test("left ends the room without a word", () => {
  const state = from(inLobby, { type: "left", room: "H4K7P" });
  assert.equal(state.room, null);
  assert.equal(state.news, null);
  assert.equal(from(inLobby, { type: "left", room: "OTHER" }).room.room, "H4K7P");
});

test("player_changed: ready, away, host", () => {
  const change = { type: "player_changed", player: "p_kata", as: "player", ready: true, online: false, host: true };
  const state = from(inLobby, told(11, change));
  assert.equal(lineOf(state, "p_kata").ready, true);
  assert.equal(lineOf(state, "p_kata").online, false);
  assert.equal(state.room.host, "p_kata");
  assert.equal(state.room.host_name, "kata");
});

test("a player who becomes a spectator leaves the list; one's own role follows", () => {
  const state = from(inLobby, told(11, { type: "player_changed", player: "p_kata", as: "spectator", ready: false, online: true, host: false }));
  assert.deepEqual(players(state), ["p_orsi"]);
  assert.equal(state.room.spectators, 1);
  assert.equal(state.room.you.as, "spectator");
});

test("a spectator who becomes a player is nobody that is known: the room is asked for again", () => {
  const state = from(inLobby, told(11, { type: "player_changed", player: "p_eva", as: "player", ready: false, online: true, host: false }));
  assert.equal(state.gap, true);
});

test("options bring the new seal, and a code only where there is one", () => {
  const open = from(inLobby, told(11, { type: "options", options: { ...OPTIONS, code: "HM1-N-AAAAAAB" }, seal: "aa", code: "HM1-N-AAAAAAB" }));
  assert.equal(open.room.code, "HM1-N-AAAAAAB");
  const sealed = from(open, told(12, { type: "options", options: OPTIONS, seal: "bb" }));
  assert.equal("code" in sealed.room, false);
  assert.equal(sealed.room.seal, "bb");
});

test("countdown runs, and can be called off", () => {
  const running = from(inLobby, told(11, { type: "countdown", starts_at: 5_000 }));
  assert.equal(running.room.state, "countdown");
  assert.equal(running.room.starts_at, 5_000);
  const off = from(running, told(12, { type: "countdown", starts_at: null, why: "nobody is online" }));
  assert.equal(off.room.state, "lobby");
  assert.equal("starts_at" in off.room, false);
  assert.equal(off.news.what, "called_off");
});

test("started: a recorded run that races along stays marked as one", () => {
  const ghost = { race: "r_0", player: "p_kata" };
  const withGhost = from(after(welcome(), room({ players: [line("p_orsi"), line("g_1", { ghost, ready: true })] })), started(11, { players: ["p_orsi", "g_1"] }));
  assert.deepEqual(withGhost.room.players.map((one) => one.ghost), [undefined, ghost]);
});

test("started: who races races, who doesn't waits", () => {
  const state = from(inLobby, started(11, { players: ["p_orsi"] }));
  assert.equal(state.room.state, "racing");
  assert.equal(state.room.race, "r1");
  assert.equal(lineOf(state, "p_orsi").status, "racing");
  assert.equal(lineOf(state, "p_kata").status, "waiting");
  assert.equal(state.room.you.board, undefined);
});

test("board is one's own board", () => {
  assert.equal(racing.room.you.board.piles[0].top, "5S");
  assert.equal(from(racing, { type: "board", room: "OTHER", board: board({ turn: 9 }) }).room.you.board.turn, 0);
});

test("moved: cards go, the next show, the numbers follow", () => {
  const mine = from(racing, moved()).room.you.board;
  assert.deepEqual(mine.piles[0], { top: "9C", count: 7 });
  assert.deepEqual(mine.piles[7], { top: "JC", count: 7 });
  assert.deepEqual([mine.turn, mine.score, mine.moves, mine.can_undo], [1, 10, 1, true]);
  assert.deepEqual([lineOf(from(racing, moved()), "p_kata").score], [10]);
});

test("moved: the last card of a pile and a reserve card leave nothing", () => {
  const last = from(racing, { type: "board", room: "H4K7P", board: board({ piles: board().piles.map((pile) => ({ ...pile, count: 1 })) }) });
  const mine = from(last, moved({ revealed: { 11: null, R1: null } })).room.you.board;
  assert.deepEqual(mine.piles[10], { top: null, count: 0 });
  assert.equal(mine.reserve[0], null);
});

test("undone after moved is the board before, but for the turn", () => {
  const mine = from(racing, moved(), undone()).room.you.board;
  assert.deepEqual(mine, board({ turn: 2 }));
});

test("undone puts a card back on an emptied spot", () => {
  const emptied = from(racing, moved({ revealed: { 1: "9C", R1: null } }));
  const mine = from(emptied, undone({ restored: { 1: "5S", R1: "AH" } })).room.you.board;
  assert.equal(mine.reserve[0], "AH");
  assert.deepEqual(mine.piles[0], { top: "5S", count: 8 });
});

test("an answer given before is passed over", () => {
  const once = from(racing, moved());
  assert.deepEqual(from(once, moved()), once);
});

test("an answer too far on asks for the room", () => {
  assert.equal(from(racing, moved({ turn: 3 })).gap, true);
});

test("stale_turn brings the board as it is, and no news", () => {
  const state = from(racing, [
    { type: "error", code: "stale_turn", message: "", re: "x", board: board({ turn: 4, score: 40 }) },
    { type: "move", room: "H4K7P", turn: 0, spots: ["1", "8"] },
  ]);
  assert.equal(state.room.you.board.turn, 4);
  assert.equal(state.news, null);
});

test("a refusal is news with the reason, and changes nothing else", () => {
  const state = from(racing, [
    { type: "error", code: "illegal_move", reason: "not_eleven", message: "", re: "x" },
    { type: "move", room: "H4K7P", turn: 0, spots: ["1", "2"] },
  ]);
  assert.deepEqual(state.news, { what: "illegal_move", command: "move", reason: "not_eleven" });
  assert.deepEqual(state.room, racing.room);
  assert.equal(newsTold(state).news, null);
});

test("what another tab has begun is no refusal to be told", () => {
  for (const type of ["set_ready", "start"]) {
    const refused = [{ type: "error", code: "wrong_state", message: "", re: "x" }, { type, room: "H4K7P", ready: true }];
    assert.equal(from(racing, refused).news, null);
    assert.equal(from(inLobby, refused).news.what, "wrong_state");
  }
});

test("a refused return ends the room and is told", () => {
  for (const code of ["unknown_room", "not_allowed", "room_full"]) {
    const state = from(inLobby, [{ type: "error", code, message: "", re: "x" }, { type: "join_room", room: "H4K7P", as: "player" }]);
    assert.equal(state.room, null);
    assert.equal(state.news.what, code);
  }
});

test("progress: numbers and statuses of those named, the moment of the best kept", () => {
  const line1 = { player: "p_orsi", score: 30, moves: 3, status: "racing", best: 30, at_ms: 7_000 };
  const line2 = { ...line1, score: 20, moves: 2, status: "deadlocked", at_ms: 9_000 };
  const state = from(racing, told(12, { type: "progress", players: [line1] }), told(13, { type: "progress", players: [line2] }));
  const orsi = lineOf(state, "p_orsi");
  assert.deepEqual([orsi.score, orsi.best, orsi.best_at_ms, orsi.status], [20, 30, 7_000, "deadlocked"]);
});

const STANDINGS = [
  { rank: 1, player: "p_kata", name: "kata", status: "won", score: 520, best: 520, moves: 48, actions: 50, time_ms: 300_000 },
  { rank: 2, player: "p_orsi", name: "orsi", status: "timed_out", score: 100, best: 110, moves: 9, actions: 12, time_ms: 200_000 },
];

test("over: standings, the code, and each status", () => {
  const state = from(racing, told(12, { type: "over", race: "r1", code: "HM1-S-X", seal: SEAL, standings: STANDINGS }));
  assert.equal(state.room.state, "over");
  assert.equal(state.room.code, "HM1-S-X");
  assert.equal(lineOf(state, "p_orsi").status, "timed_out");
  assert.equal(state.room.standings.length, 2);
});

test("rematch: the same people, nobody ready, a new seal, nothing of the last race", () => {
  const over = from(racing, told(12, { type: "over", race: "r1", code: "HM1-S-X", seal: SEAL, standings: STANDINGS }));
  const state = from(over, told(13, { type: "lobby", options: OPTIONS, seal: "new" }));
  assert.equal(state.room.state, "lobby");
  assert.equal(state.room.seal, "new");
  for (const key of ["code", "race", "standings", "starts_at", "ends_at"]) assert.equal(key in state.room, false, key);
  assert.equal(state.room.you.board, undefined);
  assert.ok(state.room.players.every((one) => !one.ready && one.status === "waiting" && one.score === 0));
});

test("a heat's code comes once all heats of its round are over", () => {
  const over = from(racing, told(12, { type: "over", race: "r1", seal: SEAL, standings: STANDINGS }));
  assert.equal(over.room.code, undefined);
  assert.equal(from(over, told(13, { type: "opened", race: "r1", code: "HM1-S-X" })).room.code, "HM1-S-X");
});

test("the race before is remembered after the rematch, however one comes to hear of it, and through the next one", () => {
  const over = from(racing, told(12, { type: "over", race: "r1", code: "HM1-S-X", seal: SEAL, standings: STANDINGS }));
  const lobby = from(over, told(13, { type: "lobby", options: OPTIONS, seal: "new" }));
  assert.equal(lobby.room.last_race, "r1");
  assert.equal(from(over, room({ n: 20 })).room.last_race, "r1");
  assert.equal(from(lobby, room({ n: 20 })).room.last_race, "r1");
  assert.equal(from(lobby, started(14, { race: "r2" })).room.last_race, "r1");
  assert.equal(from(NOTHING, room({ last_race: "r0" })).room.last_race, "r0");
  assert.equal(over.room.last_race, undefined);
  assert.equal(from(over, room({ n: 20, room: "ZZZZZ" })).room.last_race, undefined);
});

test("rematch: who left during the race is gone", () => {
  const over = from(racing,
    told(12, { type: "player_left", player: "p_orsi", why: "left" }),
    told(13, { type: "over", race: "r1", code: "HM1-S-X", seal: SEAL, standings: STANDINGS }),
    told(14, { type: "lobby", options: OPTIONS, seal: "new" }));
  assert.deepEqual(players(over), ["p_kata"]);
});

test("rematch with somebody away asks for the room, for they may have left before one came", () => {
  const away = after(welcome(), room({ state: "over", players: [line("p_orsi", { online: false }), line("p_kata")] }));
  assert.equal(from(away, told(11, { type: "lobby", options: OPTIONS, seal: "new" })).gap, true);
});

test("a number left out asks for the room; until it comes nothing more is believed", () => {
  const gap = from(inLobby, told(12, { type: "countdown", starts_at: 5 }));
  assert.equal(gap.gap, true);
  assert.equal(gap.room.state, "lobby");
  assert.equal(from(gap, told(11, { type: "countdown", starts_at: 5 })).room.state, "lobby");
  const whole = from(gap, room({ n: 12, state: "countdown", starts_at: 5 }));
  assert.equal(whole.gap, false);
  assert.equal(whole.room.state, "countdown");
});

test("a number already had is passed over", () => {
  assert.deepEqual(from(inLobby, told(10, { type: "countdown", starts_at: 5 })), inLobby);
});

test("broadcasts of another room, and messages nobody knows, change nothing", () => {
  assert.deepEqual(from(inLobby, { ...told(11, { type: "countdown", starts_at: 5 }), room: "OTHER" }), inLobby);
  assert.deepEqual(from(inLobby, { type: "wink", room: "H4K7P", n: 11 }), inLobby);
  assert.deepEqual(from(inLobby, { type: "ok", room: "H4K7P", re: "x" }), inLobby);
});

test("coming back in the middle of a race: the snapshot is all that is needed", () => {
  const back = after(welcome(), room({ n: 77, state: "racing", race: "r1", starts_at: 1, you: { as: "player", board: board({ turn: 5, score: 50, moves: 5 }) } }));
  const state = from(back, moved({ turn: 6, score: 60, moves: 6 }), told(78, { type: "progress", players: [] }));
  assert.equal(state.room.you.board.score, 60);
  assert.equal(state.gap, false);
});

test("whoever scored before this client came is known to have, and their best with it", () => {
  const players = [line("p_orsi", { status: "racing", score: 20, moves: 3, best: 30 }), line("p_kata", { status: "racing", best: 0 })];
  const back = after(welcome(), room({ n: 77, state: "racing", race: "r1", starts_at: 1, players, you: { as: "player", board: board() } }));
  assert.deepEqual([lineOf(back, "p_orsi").isLate, lineOf(back, "p_kata").isLate], [true, undefined]);
  assert.equal(lineOf(back, "p_orsi").best, 30);
  const again = from(back, room({ n: 80, state: "racing", race: "r1", starts_at: 1, players: [{ ...players[0], best: 40 }, players[1]] }));
  assert.equal(lineOf(again, "p_orsi").best, 40);
});

test("who comes into a running race has its courses from the start, and goes on with them", () => {
  const players = [line("p_orsi", { status: "racing", score: 20, moves: 2, best: 30 }), line("p_kata", { status: "racing", best: 0 })];
  const racing = { state: "racing", race: "r1", starts_at: 1, players };
  const courses = { p_orsi: [[4_000, 10], [6_000, 30], [9_000, 20]] };
  const back = after(welcome(), room({ n: 77, ...racing, courses }));
  const orsi = lineOf(back, "p_orsi");
  assert.deepEqual(orsi.trace, [{ at_ms: 4_000, score: 10 }, { at_ms: 6_000, score: 30 }, { at_ms: 9_000, score: 20 }]);
  assert.deepEqual([orsi.isLate, orsi.best, orsi.best_at_ms], [undefined, 30, 6_000]);
  const on = from(back, told(78, { type: "progress", players: [{ player: "p_orsi", score: 40, moves: 4, status: "racing", best: 40, at_ms: 11_000 }] }));
  assert.deepEqual(lineOf(on, "p_orsi").trace.at(-1), { at_ms: 11_000, score: 40 });
  assert.equal("courses" in on.room, false);
  // After a gap the whole one takes the place of what was seen with holes.
  const seen = from(after(welcome(), room({ n: 77, ...racing })), told(79, { type: "countdown", starts_at: 5 }), room({ n: 80, ...racing, courses }));
  assert.deepEqual([lineOf(seen, "p_orsi").trace.length, lineOf(seen, "p_orsi").isLate], [3, undefined]);
});

test("recorded runs that were hidden until the end are asked for, and the seal of before stays with the code", () => {
  const ghost = { ...STANDINGS[0], player: "g_1", name: "Ann", ghost: { race: "r0", player: "p_1" } };
  const end = { type: "over", race: "r1", code: "HM1-S-X", seal: "another", standings: [...STANDINGS, ghost] };
  const gap = from(racing, told(12, end));
  assert.deepEqual([gap.gap, gap.room.state], [true, "racing"]);
  const players = [...racing.room.players, line("g_1", { ghost: ghost.ghost })];
  const over = from(gap, room({ n: 12, state: "over", race: "r1", code: "HM1-S-X", seal: "another", players, standings: end.standings }));
  assert.deepEqual([over.gap, over.room.players.length, over.room.pledged], [false, players.length, SEAL]);
});

const ended = (state, n) => from(state, told(n, {
  type: "over", race: "r1", code: "HM1-N-AAAAAAA", seal: SEAL,
  standings: ["p_orsi", "p_kata"].map((player, i) => ({ rank: i + 1, player, name: player, status: "retired", score: 0, best: 0, moves: 0, actions: 0, time_ms: 0 })),
}));
const rematch = (n) => told(n, { type: "lobby", options: OPTIONS, seal: SEAL });

test("a rematch takes nobody off the results but who called it, and the next start does", () => {
  const over = ended(racing, 12);
  assert.equal(over.reading, null);
  const called = from(over, rematch(13));
  assert.equal(called.room.state, "lobby");
  assert.equal(called.reading.standings.length, 2);
  assert.equal(haveRead(called).reading, null);
  const others = from(called, told(14, { type: "player_changed", player: "p_orsi", name: "orsi", as: "player", ready: true, online: true, host: true }));
  assert.equal(others.reading, called.reading, "what others do in the lobby meanwhile");
  assert.equal(from(others, told(15, { type: "countdown", starts_at: 9_000 })).reading, null);
  const asked = from({ ...over, gap: true }, room({ n: 15 }));
  assert.equal(asked.reading?.state, "over", "also where something was missed");
  const host = ended(from(after(welcome("p_orsi"), room()), started(), { type: "board", room: "H4K7P", board: board() }), 12);
  assert.equal(from(host, rematch(13)).reading, null);
});

test("a new host is told to everybody, and to themselves as such", () => {
  const office = (n, player, name) => told(n, { type: "player_changed", player, name, as: "player", ready: false, online: true, host: true });
  const same = from(inLobby, office(11, "p_orsi", "orsi"));
  assert.equal(same.news, null);
  assert.deepEqual(from(inLobby, office(11, "p_kata", "kata")).news, { what: "host_you", name: "kata" });
  const three = after(welcome(), room({ players: [line("p_orsi"), line("p_kata"), line("p_b")] }));
  assert.deepEqual(from(three, office(11, "p_b", "b")).news, { what: "host_now", name: "b" });
  const missed = from({ ...three, gap: true }, room({ n: 20, host: "p_b", host_name: "b" }));
  assert.deepEqual(missed.news, { what: "host_now", name: "b" });
});
