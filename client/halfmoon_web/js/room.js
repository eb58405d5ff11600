/** A room after a broadcast: pure, (room, message) to room. */

/**
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").PlayerLine} PlayerLine
 */

/**
 * A player as the room lists them, and what only this client adds.
 * @typedef {PlayerLine & {best?: number, best_at_ms?: number, left?: boolean, trace?: Point[], isLate?: boolean}} Player
 * `isLate`: there was a score before this client came, of which it knows no more than how much
 * @typedef {{at_ms: number, score: number}} Point the score from then on
 */

/**
 * The answer `room`, kept up to date by the broadcasts after it.
 * @typedef {Omit<Extract<Message, {type: "room"}>, "type" | "re" | "players"> & {players: Player[]} & Kept} Room
 */

/**
 * What only this client keeps beside it.
 * @typedef {object} Kept
 * @property {string} [pledged] the seal as it was shown before the code was
 * @property {{player: string, reaction: string, n: number}} [reaction] what somebody has just called out
 * @property {Record<string, import("./watching.js").Lately>} [lately] the last action on each board that is watched
 */

/** Messages that carry `n`. */
export const COUNTED = new Set([
  "player_joined", "player_left", "player_changed", "options", "lobby", "countdown", "started", "progress", "over",
  "opened", "reaction",
]);

/**
 * The room as the answer has it; what was seen of the same race before stays.
 * @param {Extract<Message, {type: "room"}>} message @param {Room | null} before @returns {Room}
 */
export function entered(message, before) {
  const { type, re, courses, ...room } = { ...message, players: message.players.map(withNumber) };
  const isSame = before?.room === room.room && before.race === room.race;
  const known = isSame ? before.players : [];
  const pledged = isSame ? pledgedOf(before, room) : undefined;
  const coming = room.coming ?? (isSame ? before.coming : undefined);
  const players = room.players.map((line) => {
    const { best, best_at_ms, trace: seen, isLate } = known.find((other) => other.player === line.player) ?? {};
    const whole = courses?.[line.player]?.map(([at_ms, score]) => ({ at_ms, score }));
    const trace = whole ?? seen;
    const isBehind = !whole && (isLate || (!trace && Math.max(line.score, line.moves, line.best ?? 0) > 0));
    return {
      ...line, ...(whole && { best_at_ms: reachedAt(whole, line.best) }), ...(best !== undefined && best >= (line.best ?? 0) && { best, best_at_ms }),
      ...(trace && { trace }), ...(isBehind && { isLate: true }),
    };
  });
  const last_race = room.last_race ?? (before?.room === room.room ? lastOf(before, room.race) : undefined);
  return called({
    ...room, players, ...(pledged !== undefined && { pledged }), ...(coming && { coming }),
    ...(last_race !== undefined && { last_race }),
  });
}

/** The seal as it was shown before the code was. @param {Room} before @param {{code?: string}} room */
const pledgedOf = (before, room) => before.pledged ?? (room.code !== undefined && before.code === undefined ? before.seal : undefined);

/** When this score was first had. @param {Point[]} course @param {number} [score] */
const reachedAt = (course, score = 0) => (score > 0 ? course.find((point) => point.score >= score)?.at_ms : undefined);

const CIRCLED_ONE = 0x2460;
const MOST_CIRCLED = 20;

/**
 * The name as it is shown: with its number, where somebody else in the room is called the same or looks so.
 * @template {{name: string, number?: number}} T @param {T} line @returns {T}
 */
function withNumber(line) {
  if (line.number === undefined) return line;
  return { ...line, name: `${line.name} ${numeral(line.number)}` };
}

/** The number of a name. @param {number} number */
export const numeral = (number) => (number <= MOST_CIRCLED ? String.fromCharCode(CIRCLED_ONE + number - 1) : `(${number})`);

/** Everybody has one name all over the room: in the ranking at the end, and as its host. @param {Room} room @returns {Room} */
function called(room) {
  const names = new Map(room.players.map((line) => [line.player, line.name]));
  const standings = room.standings?.map((line) => ({ ...line, name: names.get(line.player) ?? line.name }));
  return { ...room, host_name: names.get(room.host) ?? room.host_name, ...(standings && { standings }) };
}

/** @param {Room} before @param {string | undefined} race which is on now */
const lastOf = (before, race) => (before.race !== undefined && before.race !== race ? before.race : before.last_race);

/**
 * @param {Room} room
 * @param {string | undefined} player
 * @param {Partial<Player>} change
 * @returns {Room}
 */
export function withPlayer(room, player, change) {
  const players = room.players.map((line) => (line.player === player ? { ...line, ...change } : line));
  return { ...room, players };
}

/**
 * @param {Room} room whose `n` is the message's already
 * @param {Message} message
 * @param {string | undefined} me
 * @returns {Room | null} null where the message tells of somebody unknown: the room has to be asked for again
 */
export function changed({ reaction, ...room }, message, me) {
  switch (message.type) {
    case "player_joined":
      return joined(room, message, me);
    case "player_left":
      return left(room, message);
    case "player_changed":
      return playerChanged(room, message, me);
    case "options":
      return withOptions(room, message);
    case "lobby":
      return backInLobby(room, message);
    case "countdown":
      return countdown(room, message);
    case "started":
      return started(room, message);
    case "progress":
      return message.players.reduce((sofar, line) => progressed(sofar, line, me), room);
    case "over":
      return over(room, message);
    case "opened":
      return { ...room, code: message.code };
    case "reaction":
      return { ...room, reaction: { player: message.player, reaction: message.reaction, n: message.n } };
    default:
      return room;
  }
}

/** Whether one watches, and nobody is left who would race. @param {Room} room */
export const isDeserted = ({ you, players }) =>
  you.as === "spectator" && players.every((line) => line.left || line.ghost || !line.online);

/** @param {Room} room @param {string} player */
const lists = (room, player) => room.players.some((line) => line.player === player);

/**
 * @param {Room} room @param {Extract<Message, {type: "player_joined"}>} message @param {string} [me]
 * @returns {Room}
 */
function joined(room, message, me) {
  const { player, name, ready, online } = withNumber(message);
  if (lists(room, player)) return withPlayer(room, player, { name, ready, online, left: false });
  if (message.screen) return player === me ? room : { ...room, screens: (room.screens ?? 0) + 1 };
  if (message.as === "spectator") {
    return player === me ? room : { ...room, spectators: room.spectators + 1 };
  }
  return { ...room, players: [...room.players, newcomer(player, name, ready, online)] };
}

/** @param {string} player @param {string} name @param {boolean} ready @param {boolean} online @returns {Player} */
const newcomer = (player, name, ready, online) =>
  ({ player, name, ready, online, status: "waiting", score: 0, moves: 0 });

/**
 * Who leaves during a race stays listed until the rematch.
 * @param {Room} room @param {Extract<Message, {type: "player_left"}>} message @returns {Room}
 */
function left(room, { player, screen }) {
  const line = room.players.find((other) => other.player === player);
  if (screen) return { ...room, screens: Math.max(0, (room.screens ?? 0) - 1) };
  if (!line) return { ...room, spectators: Math.max(0, room.spectators - 1) };
  const raced = (room.state === "racing" || room.state === "over") && line.status !== "waiting";
  if (raced) return withPlayer(room, player, { online: false, left: true });
  return { ...room, players: room.players.filter((other) => other !== line) };
}

/**
 * @param {Room} room @param {Extract<Message, {type: "player_changed"}>} message @param {string} [me]
 * @returns {Room | null}
 */
function playerChanged(room, message, me) {
  const { player, ready, online } = message;
  const wasListed = lists(room, player);
  const isPlayer = message.as === "player";
  if (isPlayer && !wasListed) return null;
  let next = isPlayer ? withPlayer(room, player, { ready, online }) : room;
  if (!isPlayer && wasListed) {
    const players = room.players.filter((line) => line.player !== player);
    next = { ...room, players, spectators: room.spectators + 1 };
  }
  if (player === me) next = { ...next, you: { ...next.you, as: message.as } };
  return message.host && room.host !== player ? withHost(next, player) : next;
}

/** @param {Room} room @param {string} host @returns {Room | null} */
function withHost(room, host) {
  const line = room.players.find((other) => other.player === host);
  return line ? { ...room, host, host_name: line.name } : null;
}

/**
 * @param {Room} room @param {Extract<Message, {type: "options" | "lobby"}>} message @returns {Room}
 */
function withOptions(room, { options, seal, code, coming }) {
  const { code: old, coming: former, ...rest } = room;
  return { ...rest, options, seal, ...(code !== undefined && { code }), ...(coming && { coming }) };
}

/**
 * The same people, nobody ready.  Who only looks away can't be told here from who left before this
 * client came, so a room with such a line is asked for again.
 * @param {Room} room @param {Extract<Message, {type: "lobby"}>} message @returns {Room | null}
 */
function backInLobby(room, message) {
  const here = room.players.filter((line) => !line.left);
  if (here.some((line) => !line.online)) return null;
  const players = here.map((line) => newcomer(line.player, line.name, false, line.online));
  const { starts_at, ends_at, race, standings, draw, pledged, boards, w, lately, ...rest } = withOptions(room, message);
  return { ...rest, state: "lobby", players, you: { as: room.you.as }, ...(race !== undefined && { last_race: race }) };
}

/**
 * @param {Room} room @param {Extract<Message, {type: "countdown"}>} message @returns {Room}
 */
function countdown(room, { starts_at }) {
  if (starts_at !== null) return { ...room, state: "countdown", starts_at };
  const { starts_at: off, ...rest } = room;
  return { ...rest, state: "lobby" };
}

/**
 * @param {Room} room @param {Extract<Message, {type: "started"}>} message @returns {Room}
 */
function started({ boards, w, lately, ...room }, message) {
  const { race, starts_at, ends_at, seal, code } = message;
  const racing = new Set(message.players);
  const players = room.players.map((line) => ({
    ...newcomer(line.player, line.name, line.ready, line.online), ...(line.ghost && { ghost: line.ghost }),
    status: /** @type {Player["status"]} */ (racing.has(line.player) ? "racing" : "waiting"),
  }));
  return {
    ...room, state: "racing", race, starts_at, seal, players, you: { as: room.you.as },
    ...(ends_at !== undefined && { ends_at }), ...(code !== undefined && { code }),
  };
}

/** A racer in one of these is done, whatever the cards say. @type {Set<string>} */
const DONE = new Set(["won", "retired", "timed_out"]);

/**
 * @param {Room} room @param {import("./messages.js").ProgressLine} line @param {string} [me] @returns {Room}
 */
function progressed(room, { player, score, moves, status, best, at_ms, actions }, me) {
  const known = room.players.find((other) => other.player === player);
  const better = best > (known?.best ?? 0);
  const trace = [...(known?.trace ?? []), { at_ms, score }];
  const next = withPlayer(room, player, { score, moves, status, best, trace, actions, ...(better && { best_at_ms: at_ms }) });
  return player === me && DONE.has(status) ? withOwnStatus(next, status) : next;
}

/** One's own board rests from now on. @param {Room} room @param {import("./messages.js").Board["status"]} status @returns {Room} */
const withOwnStatus = (room, status) =>
  room.you.board ? { ...room, you: { ...room.you, board: { ...room.you.board, status } } } : room;

/**
 * A recorded run that was hidden as long as the race ran is among the players from now on: the room is asked for.
 * @param {Room} room @param {Extract<Message, {type: "over"}>} message @returns {Room | null}
 */
function over(room, { race, code, seal, standings, draw }) {
  if (standings.some((line) => line.ghost && !lists(room, line.player))) return null;
  const next = standings.reduce(
    (sofar, { player, status, score, best, moves }) => withPlayer(sofar, player, { status, score, best, moves }),
    room,
  );
  const pledged = room.pledged ?? room.seal;
  return called({ ...next, state: "over", race, code, seal, standings, pledged, ...(draw && { draw }) });
}
