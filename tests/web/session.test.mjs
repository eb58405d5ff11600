import assert from "node:assert/strict";
import { test } from "node:test";

import { IdentityStore } from "../../client/halfmoon_web/js/identity.js";
import { Session } from "../../client/halfmoon_web/js/session.js";
import { OPTIONS, SEAL, board, line, moved, room, started, told, undone } from "./builders.mjs";
import { FakeWorld } from "./fakes.mjs";

/** What localStorage does, as much of it as is used. */
function memory(entries = {}) {
  const kept = new Map(Object.entries(entries));
  return { kept, getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
}

function begin(storage = memory()) {
  const world = new FakeWorld();
  const refused = [];
  const identity = new IdentityStore(storage);
  const session = new Session("ws://here/ws", world, identity, { changed: () => {}, refused: (spots) => refused.push(spots) });
  const at = {
    world, refused, identity, session, storage,
    get socket() { return world.sockets.at(-1); },
    get view() { return session.view; },
    say(message) { at.socket.onmessage({ data: JSON.stringify(message) }); },
    sent: (type) => at.socket.sent.filter((command) => command.type === type),
    answer(type, message) { at.say({ ...message, re: at.sent(type).at(-1).id }); },
    welcome() {
      at.socket.readyState = 1;
      at.socket.onopen();
      at.answer("hello", { type: "welcome", player: "p_kata", name: "Kata", token: "secret", server: { version: "1" }, at: 0 });
    },
    tap: (...spots) => spots.map((spot) => session.tap(spot, () => {})),
  };
  return at;
}

/** Kata in a race, her board as it was dealt. */
function racing(storage) {
  const at = begin(storage);
  at.session.join("Kata", "H4K7P", "player");
  at.welcome();
  at.answer("join_room", room());
  at.say(started());
  at.say({ type: "board", room: "H4K7P", board: board() });
  return at;
}

const drop = (at) => {
  at.socket.readyState = 3;
  at.socket.onclose({ code: 1006 });
  at.world.pass(500);
};

test("a new player says hello by name, and keeps the token that comes back", () => {
  const at = begin();
  at.session.create("Kata");
  at.welcome();
  assert.equal(at.sent("hello")[0].name, "Kata");
  assert.equal(at.identity.identity.token, "secret");
  assert.equal(at.sent("create_room").length, 1);
});

test("a browser that keeps nothing plays all the same", () => {
  const broken = { getItem() { throw new Error(); }, setItem() { throw new Error(); }, removeItem() { throw new Error(); } };
  assert.equal(racing(broken).view.state.room.state, "racing");
  assert.equal(new IdentityStore(null).identity.name, undefined);
});

test("a finished pair goes out at once, with the turn", () => {
  const at = racing();
  at.tap("1", "8");
  const [{ id, ...move }] = at.sent("move");
  assert.deepEqual(move, { type: "move", room: "H4K7P", turn: 0, spots: ["1", "8"] });
});

test("twelve clicks on a pair are one removal", () => {
  const at = racing();
  at.tap("1", "8", "1", "8", "1", "8", "1", "8", "1", "8", "1", "8");
  assert.equal(at.sent("move").length, 1);
});

test("a second move waits for the first answer and carries the turn after it", () => {
  const at = racing();
  at.tap("1", "8", "R1", "R7");
  assert.equal(at.sent("move").length, 1);
  at.answer("move", moved());
  assert.deepEqual(at.sent("move").map((move) => move.turn), [0, 1]);
});

test("a refused move brings the cards back and is shown once", () => {
  const at = racing();
  at.tap("1", "8");
  at.answer("move", { type: "error", code: "illegal_move", reason: "empty_spot", message: "", room: "H4K7P" });
  assert.deepEqual(at.refused, [["1", "8"]]);
  assert.deepEqual(at.view.hand.actions, []);
  assert.equal(at.view.state.room.you.board.piles[0].top, "5S");
});

test("a stale turn brings the board as it is", () => {
  const at = racing();
  at.tap("1", "8");
  at.answer("move", { type: "error", code: "stale_turn", message: "", room: "H4K7P", board: board({ turn: 7, score: 70 }) });
  assert.equal(at.view.state.room.you.board.turn, 7);
  at.tap("1", "8");
  assert.equal(at.sent("move").at(-1).turn, 7);
});

test("undo goes out like a move, and not at all where undo is off", () => {
  const at = racing();
  at.tap("1", "8");
  at.answer("move", moved());
  at.session.undo();
  assert.equal(at.sent("undo")[0].turn, 1);
  at.answer("undo", undone());
  at.session.undo();
  assert.equal(at.sent("undo").length, 1);
  at.say({ ...room({ n: 11, state: "racing", you: { as: "player", board: board({ moves: 1, can_undo: true }) } }), options: { ...room().options, undo: false } });
  at.session.undo();
  assert.equal(at.sent("undo").length, 1);
});

test("a lost answer: the move goes again with the same id and counts once", () => {
  const at = racing();
  at.tap("1", "8");
  const { id } = at.sent("move")[0];
  drop(at);
  at.welcome();
  at.answer("join_room", room({ n: 12, state: "racing", you: { as: "player", board: board({ turn: 1, score: 10, moves: 1, can_undo: true }) } }));
  assert.equal(at.sent("move")[0].id, id);
  at.answer("move", moved());
  assert.equal(at.view.state.room.you.board.score, 10);
  assert.deepEqual(at.view.hand.actions, []);
});

test("taps while the line is down are held, and go in order once it is back", () => {
  const at = racing();
  drop(at);
  at.tap("1", "8", "R1", "R7");
  at.welcome();
  at.answer("join_room", room({ n: 12, state: "racing", you: { as: "player", board: board() } }));
  assert.equal(at.sent("move").length, 1);
  at.answer("move", moved());
  assert.deepEqual(at.sent("move").map((move) => move.spots), [["1", "8"], ["R1", "R7"]]);
});

test("a gap asks for the room, once", () => {
  const at = racing();
  const before = at.sent("join_room").length;
  at.say(told(20, { type: "progress", players: [] }));
  at.say(told(21, { type: "progress", players: [] }));
  assert.equal(at.sent("join_room").length, before + 1);
  at.answer("join_room", room({ n: 21, state: "racing", you: { as: "player", board: board() } }));
  at.say(told(23, { type: "progress", players: [] }));
  assert.equal(at.sent("join_room").length, before + 2);
});

test("a reload comes back to the room by itself, hello and join_room together", () => {
  const storage = memory();
  racing(storage);
  const at = begin(storage);
  assert.equal(at.session.comeBack("H4K7P"), true);
  at.socket.readyState = 1;
  at.socket.onopen();
  assert.deepEqual(at.socket.sent.map((command) => command.type), ["hello", "join_room"]);
  assert.equal(at.sent("hello")[0].token, "secret");
});

test("the welcome on the way back doesn't make the page forget its seat", () => {
  const storage = memory();
  racing(storage);
  const at = begin(storage);
  at.session.comeBack("H4K7P");
  at.welcome();
  drop(at);
  at.welcome();
  assert.equal(at.sent("join_room").length, 1);
});

test("another room's link doesn't bring one back into the old room", () => {
  const storage = memory();
  racing(storage);
  assert.equal(begin(storage).session.comeBack("OTHER"), false);
});

test("a return that is refused ends there", () => {
  const storage = memory();
  racing(storage);
  const at = begin(storage);
  at.session.comeBack("H4K7P");
  at.welcome();
  at.answer("join_room", { type: "error", code: "unknown_room", message: "" });
  assert.equal(at.identity.seat, null);
  assert.equal(at.view.state.news.what, "unknown_room");
});

test("leaving forgets the seat", () => {
  const at = racing();
  at.session.commands.leave();
  at.answer("leave_room", { type: "left", room: "H4K7P" });
  assert.equal(at.identity.seat, null);
  assert.equal(at.view.state.room, null);
});

test("a token that isn't known: the name stays, and a new player comes in", () => {
  const at = begin(memory({ "halfmoon.identity": JSON.stringify({ name: "Kata", token: "old" }) }));
  at.session.create("Kata");
  at.socket.readyState = 1;
  at.socket.onopen();
  at.answer("hello", { type: "error", code: "unauthorized", message: "" });
  at.welcome();
  assert.deepEqual(Object.keys(at.sent("hello")[0]).sort(), ["id", "name", "type"]);
  assert.equal(at.sent("create_room").length, 1);
});

test("another name says hello anew", () => {
  const at = begin();
  at.session.create("Kata");
  at.welcome();
  at.session.create("Kata II");
  assert.equal(at.world.sockets.length, 2);
  at.welcome();
  assert.equal(at.sent("hello")[0].name, "Kata II");
});

test("playing alone makes a room of one, and starts it", () => {
  const at = begin();
  at.session.playAlone("Kata");
  at.welcome();
  assert.equal(at.sent("create_room")[0].options.max_players, 1);
  at.answer("create_room", room({ players: [], host: "p_kata" }));
  assert.deepEqual([at.sent("set_ready").length, at.sent("start").length], [1, 1]);
});

test("what was wished for on another page is opened as it was wished for, and starts where it should", () => {
  const at = begin();
  at.session.open("Kata", { starts: true, daily: true });
  assert.ok(at.session.isReturning);
  at.welcome();
  const { type, id, ...what } = at.sent("create_room")[0];
  assert.deepEqual(what, { daily: true });
  at.answer("create_room", room({ players: [], host: "p_kata" }));
  assert.equal(at.session.isReturning, false);
  assert.deepEqual([at.sent("set_ready").length, at.sent("start").length], [1, 1]);
  const other = begin();
  other.session.open("Kata", { starts: false, challenge: "ABC" });
  other.welcome();
  other.answer("create_room", room({ players: [], host: "p_kata" }));
  assert.equal(other.sent("start").length, 0);
});

test("a wish that is refused leads to the first screen, which says why", () => {
  const at = begin();
  at.session.open("Kata", { starts: true, challenge: "ABC" });
  at.welcome();
  at.answer("create_room", { type: "error", code: "unknown_challenge", message: "" });
  assert.equal(at.session.isReturning, false);
  assert.equal(at.view.state.news.what, "unknown_challenge");
});

test("a host who starts without having said to be ready races too; one who watches doesn't", () => {
  const ready = { ready: true };
  for (const [mine, readied] of [[[line("p_kata")], 1], [[line("p_kata", ready)], 0], [[], 0]]) {
    const at = begin();
    at.session.create("Kata");
    at.welcome();
    at.answer("create_room", room({ host: "p_kata", players: [line("p_orsi", ready), ...mine] }));
    at.session.start();
    const said = at.socket.sent.map((command) => command.type).filter((type) => type === "set_ready" || type === "start");
    assert.deepEqual(said, readied ? ["set_ready", "start"] : ["start"]);
  }
});

test("nothing can be tapped before the start, and nothing once one is done", () => {
  const at = begin();
  at.session.join("Kata", "H4K7P", "player");
  at.welcome();
  at.answer("join_room", room());
  at.tap("1", "8");
  const done = racing();
  done.say(told(12, { type: "progress", players: [{ player: "p_kata", score: 0, moves: 0, status: "retired", best: 0, at_ms: 9 }] }));
  done.tap("1", "8");
  assert.equal(at.sent("move").length + done.sent("move").length, 0);
  assert.equal(done.view.state.room.you.board.status, "retired");
});

test("why a tap didn't fit is told to who asks", () => {
  assert.deepEqual(racing().tap("1", "2"), [null, "not_eleven"]);
});

test("a page that is seen again asks for the room, without waiting for a sign that something was missed", () => {
  const at = racing();
  const before = at.sent("join_room").length;
  at.session.wake();
  assert.equal(at.sent("join_room").length, before + 1);
});

test("somebody else at this device: nothing is left of who played here, and the next one is new", () => {
  const at = racing();
  at.session.someoneElse();
  assert.equal(at.socket.closed, true);
  assert.equal(at.view.state.room, null);
  assert.equal(at.view.status, "idle");
  at.session.join("Orsi", "H4K7P", "player");
  at.welcome();
  assert.deepEqual(Object.keys(at.sent("hello")[0]).sort(), ["id", "name", "type"]);
});

test("a rematch of one's own starts by itself, one with others doesn't", () => {
  const alone = { state: "over", host: "p_kata", players: [line("p_kata")] };
  for (const [max_players, starts] of [[1, 1], [16, 0]]) {
    const at = racing();
    at.say(room({ n: 30, ...alone, options: { ...OPTIONS, max_players } }));
    at.session.rematch();
    at.say(told(31, { type: "lobby", options: { ...OPTIONS, max_players }, seal: "5e".repeat(32) }));
    assert.equal(at.sent("start").length, starts);
  }
});

test("a reaction that comes too fast is dropped, not sent later", () => {
  const at = racing();
  at.session.commands.react("wow");
  const [sent] = at.sent("react");
  at.say({ type: "error", code: "rate_limited", message: "", re: sent.id, retry_ms: 100, room: "H4K7P" });
  at.world.pass(500);
  assert.equal(at.sent("react").length, 1);
  assert.equal(at.view.state.news, null);
});

test("who is ready sends a share in the deal, where the server has bound itself to one", () => {
  const at = begin();
  at.session.join("Kata", "H4K7P", "player");
  at.welcome();
  at.answer("join_room", room({ coming: { commit: "ab".repeat(32), race: "r_1" } }));
  at.session.commands.setReady(true);
  at.session.commands.setReady(false);
  at.say(told(11, { type: "options", options: { ...OPTIONS, code: "HM1-N-AAAAAAB" }, seal: "aa", code: "HM1-N-AAAAAAB" }));
  at.session.commands.setReady(true);
  const [drawn, off, typed] = at.sent("set_ready");
  assert.match(drawn.nonce, /^[0-9a-f]{32}$/);
  assert.equal("nonce" in off || "nonce" in typed, false);
});

test("what the server was bound to before the race stays known until the next lobby", () => {
  const coming = { commit: "ab".repeat(32), race: "r_1" };
  const at = begin();
  at.session.join("Kata", "H4K7P", "player");
  at.welcome();
  at.answer("join_room", room({ coming }));
  at.say(started());
  const draw = { commit: coming.commit, secret: "cd".repeat(32), nonces: {} };
  at.say(told(12, { type: "over", race: "r_1", code: "HM1-S-" + "A".repeat(28), seal: SEAL, standings: [], draw }));
  assert.deepEqual(at.view.state.room?.coming, coming);
  assert.deepEqual(at.view.state.room?.draw, draw);
  at.say(told(13, { type: "lobby", options: OPTIONS, seal: SEAL, coming: { ...coming, race: "r_2" } }));
  assert.equal(at.view.state.room?.coming?.race, "r_2");
  assert.equal(at.view.state.room?.draw, undefined);
});

test("whoever watched a room that all racers have left races themselves from there on", () => {
  const at = begin();
  at.session.join("Kata", "H4K7P", "spectator");
  at.welcome();
  const over = { state: "over", race: "r1", host: "p_kata", you: { as: "spectator" }, standings: [] };
  at.answer("join_room", room({ ...over, players: [line("p_orsi", { online: false, status: "retired" })] }));
  at.session.rematch();
  assert.equal(at.sent("rematch").length, 1);
  assert.equal(at.sent("join_room").at(-1).as, "player");
  at.answer("rematch", { type: "ok", room: "H4K7P" });
  at.session.wake();
  assert.equal(at.sent("join_room").at(-1).as, "player", "asked for meanwhile, nothing is taken back");
  at.answer("join_room", room({ ...over, players: [line("p_orsi")] }));
  const asked = at.sent("join_room").length;
  at.session.rematch();
  assert.equal(at.sent("join_room").length, asked, "where others are left, one goes on watching");
});

test("from the results one is ready for the next race at once, or only looks at the lobby", () => {
  const at = racing();
  const standings = ["p_orsi", "p_kata"].map((player) => ({ rank: 1, player, name: player, status: "retired", score: 0, best: 0, moves: 0, actions: 0, time_ms: 0 }));
  at.say(told(12, { type: "over", race: "r1", code: "HM1-N-AAAAAAA", seal: SEAL, standings }));
  at.say(told(13, { type: "lobby", options: OPTIONS, seal: SEAL }));
  assert.equal(at.view.state.reading.state, "over");
  at.session.goOn(false);
  assert.equal(at.view.state.reading, null);
  assert.equal(at.sent("set_ready").length, 0);
  at.session.goOn(true);
  assert.equal(at.sent("set_ready").at(-1).ready, true);
});

test("who may not race in a full room goes on watching there, and is told why", () => {
  const at = begin();
  at.session.join("Kata", "H4K7P", "spectator");
  at.welcome();
  at.answer("join_room", room({ you: { as: "spectator" }, players: [line("p_orsi")] }));
  at.session.changeRole("player");
  at.answer("join_room", { type: "error", code: "room_full", message: "full", room: "H4K7P" });
  assert.equal(at.view.state.room.you.as, "spectator");
  assert.equal(at.view.state.news.what, "room_full");
  assert.equal(at.identity.seat.as, "spectator");
  at.session.wake();
  assert.equal(at.sent("join_room").at(-1).as, "spectator");
  at.answer("join_room", { type: "error", code: "not_allowed", bar: "put_out", message: "out", room: "H4K7P" });
  assert.equal(at.view.state.room, null, "a seat that isn't given back is gone");
});
