/**
 * What goes over the wire, made from the server's models; don't edit it, but make it anew:
 * python -m halfmoon.wire.typescript > client/halfmoon_web/js/messages.d.ts
 *
 * A field with a question mark may be absent; it is then never null.
 */

/** What a client may say. */
export type Command =
  | HelloCommand
  | ClockCommand
  | CreateRoomCommand
  | EnterCommand
  | FollowCommand
  | JoinRoomCommand
  | LeaveRoomCommand
  | SetReadyCommand
  | StartCommand
  | SetOptionsCommand
  | KickCommand
  | RematchCommand
  | MoveCommand
  | UndoCommand
  | RetireCommand
  | ReactCommand;

/** What the server says. */
export type Message =
  | WelcomeMessage
  | ClockMessage
  | RoomMessage
  | OkMessage
  | LeftMessage
  | EnteredMessage
  | TournamentMessage
  | MovedMessage
  | UndoneMessage
  | ErrorMessage
  | PlayerJoinedMessage
  | PlayerLeftMessage
  | PlayerChangedMessage
  | OptionsMessage
  | LobbyMessage
  | CountdownMessage
  | StartedMessage
  | ProgressMessage
  | OverMessage
  | OpenedMessage
  | ReactionMessage
  | BoardMessage
  | BoardsMessage
  | SeatMovedMessage
  | SeatUndoneMessage
  | SeatUnmaskedMessage
  | RoundMessage;

/** Who is speaking: a new player, or by the token one that is known. */
export interface HelloCommand {
  type: "hello";
  id?: string;
  name?: string;
  token?: string;
}

/** Asks for the server's time, to set the client's clock by. */
export interface ClockCommand {
  type: "clock";
  id?: string;
  t: number;
}

/** Opens a room; who sends it is its host and a player. */
export interface CreateRoomCommand {
  type: "create_room";
  id?: string;
  options?: OptionChanges;
  /** The challenge that is raced here: deal and rules are those of its race, with its ghosts. */
  challenge?: string;
  /** Whether the day's deal is raced here, alone and once. */
  daily?: true;
}

/** Takes an entry of a tournament, or comes back to one's own. */
export interface EnterCommand {
  type: "enter";
  id?: string;
  tournament: string;
  /** Where there is a list: the secret of one's entry; later one's own entry needs none. */
  claim?: string;
}

/** Asks to be told of a tournament without playing in it. */
export interface FollowCommand {
  type: "follow";
  id?: string;
  tournament: string;
}

/** Enters a room or comes back to it; in the lobby also changes the role. */
export interface JoinRoomCommand {
  type: "join_room";
  id?: string;
  room: string;
  as?: "player" | "spectator";
  /** Whether nobody of their own looks here but a hall or a stream: such a spectator isn't counted. */
  screen?: true;
}

/** Leaves for good; in a race it retires first. */
export interface LeaveRoomCommand {
  type: "leave_room";
  id?: string;
  room: string;
}

/** Marks a player ready or not, in the lobby. */
export interface SetReadyCommand {
  type: "set_ready";
  id?: string;
  room: string;
  ready: boolean;
  /** The player's share in the choice of the deal: 16 random bytes, in hex. */
  nonce?: string;
}

/** Starts the countdown. Host only. */
export interface StartCommand {
  type: "start";
  id?: string;
  room: string;
}

/** Changes the options that it names. Host only, in the lobby. */
export interface SetOptionsCommand {
  type: "set_options";
  id?: string;
  room: string;
  options: OptionChanges;
}

/** Puts somebody out for good. Host only, not in a race. */
export interface KickCommand {
  type: "kick";
  id?: string;
  room: string;
  player: string;
}

/** Back to the lobby for another race. Host only, after a race. */
export interface RematchCommand {
  type: "rematch";
  id?: string;
  room: string;
  code?: Code;
}

/** Removes the exposed cards of two or three spots. */
export interface MoveCommand {
  type: "move";
  id?: string;
  room: string;
  turn: number;
  /** Two or three spots; what is none is an `illegal_move` with its reason, no `bad_message`. */
  spots: string[];
}

/** Takes the last move back. */
export interface UndoCommand {
  type: "undo";
  id?: string;
  room: string;
  turn: number;
}

/** Ends the player's race with what they have. */
export interface RetireCommand {
  type: "retire";
  id?: string;
  room: string;
}

/** Shows everybody in the room one of six signs. */
export interface ReactCommand {
  type: "react";
  id?: string;
  room: string;
  reaction: "wow" | "nice" | "ouch" | "thinking" | "hurry" | "gg";
}

/** Answer to `hello`. */
export interface WelcomeMessage {
  type: "welcome";
  player: string;
  name: string;
  token: string;
  server: ServerInfo;
  at: number;
  re?: string;
}

/** Answer to `clock`: the value sent, and the server's time. */
export interface ClockMessage {
  type: "clock";
  t: number;
  at: number;
  re?: string;
}

/** A room as one of its people sees it: everything needed to go on. */
export interface RoomMessage {
  type: "room";
  room: string;
  /** The number of the last broadcast that this snapshot holds. */
  n: number;
  state: "lobby" | "countdown" | "racing" | "over";
  host: string;
  host_name: string;
  options: RoomOptions;
  seal: Seal;
  code?: Code;
  /** Before the race, where server and racers draw the deal together. */
  coming?: ComingDraw;
  /** After such a race: what the deal was made of. */
  draw?: Draw;
  players: PlayerLine[];
  spectators: number;
  /** Walls and overlays, which `spectators` doesn't count; absent where there are none. */
  screens?: number;
  starts_at?: number;
  ends_at?: number;
  race?: string;
  /** After a rematch: the race before it, whose record can be looked at. */
  last_race?: string;
  standings?: Standing[];
  /** The number of the last news of boards that `boards` holds. */
  w?: number;
  /** Every seat's board, for those who may watch. */
  boards?: Record<string, WatchedBoard>;
  /** While a race runs: how the scores of the best went so far, a racer's points oldest first, each `[at_ms, score]`, the score from then on. Of very many points some are left out. */
  courses?: Record<string, number[][]>;
  /** There where the room is a heat of a tournament: it has no host then, `host` is empty. */
  heat?: HeatOf;
  /** What the race belongs to, such as `daily/2026-11-30`: deal and rules are fixed there. */
  contest?: string;
  you: You;
  re?: string;
}

/** Answer to a command that has nothing more to say. */
export interface OkMessage {
  type: "ok";
  room: string;
  re?: string;
}

/** Answer to `leave_room`. */
export interface LeftMessage {
  type: "left";
  room: string;
  re?: string;
}

/** Answer to `enter`. */
export interface EnteredMessage {
  type: "entered";
  tournament: string;
  entrant: string;
  re?: string;
}

/** A tournament as it is now: on every change to its entrants and to those who follow it. */
export interface TournamentMessage {
  type: "tournament";
  tournament: string;
  name: string;
  format: "series" | "swiss" | "knockout";
  state: "entry" | "racing" | "break" | "over";
  /** The number of the last round that was drawn, 0 before the first. */
  round: number;
  /** How many rounds there will be; a knockout doesn't say. */
  rounds?: number;
  entrants: EntrantLine[];
  heats: HeatLine[];
  byes: ByeLine[];
  entry: "open" | "list";
  heat_size?: number;
  race: RoomOptions;
  annulled: AnnulledRound[];
  ended_early?: EarlyEnd[];
  automatic: AutomaticMode;
  /** When the round that is counted down or raced starts, or started. */
  starts_at?: number;
  /** When that round is over at the latest, but for a further heat after an exact equal. */
  ends_at?: number;
  /** When the next round will be drawn by itself. */
  next_at?: number;
  announcement?: Announcement;
  re?: string;
}

/** Answer to `move`. */
export interface MovedMessage {
  type: "moved";
  room: string;
  turn: number;
  /** The cards that went, in the order of the move's `spots`. */
  removed: Card[];
  /** Every spot of the move with the card now exposed there. */
  revealed: Record<Spot, Card | null>;
  score: number;
  moves: number;
  status: "racing" | "deadlocked" | "won" | "retired" | "timed_out";
  at_ms: number;
  re?: string;
}

/** Answer to `undo`. */
export interface UndoneMessage {
  type: "undone";
  room: string;
  turn: number;
  restored: Record<Spot, Card>;
  score: number;
  moves: number;
  status: "racing" | "deadlocked" | "won" | "retired" | "timed_out";
  at_ms: number;
  re?: string;
}

/** The command changed nothing, and why. The connection stays. */
export interface ErrorMessage {
  type: "error";
  code: ErrorCode;
  /** For developers, in English; a page says it in the player's language by `code`. */
  message: string;
  room?: string;
  /** With `illegal_move`. */
  reason?: Reason;
  /** With `not_allowed`, to who wants to come in: what is in the way. */
  bar?: "alone" | "put_out" | "no_spectators" | "deal_shut";
  /** With `stale_turn`: the board as it is. */
  board?: BoardView;
  /** With `rate_limited`: when it is worth trying again. */
  retry_ms?: number;
  re?: string;
}

/** Somebody came, as a player or to watch. */
export interface PlayerJoinedMessage {
  type: "player_joined";
  room: string;
  n: number;
  player: string;
  name: string;
  as: "player" | "spectator";
  ready: boolean;
  online: boolean;
  /** Shown beside the name where it looks like that of somebody who was there before: 2, 3, … */
  number?: number;
  /** Whether it is a wall or an overlay, which isn't counted among the spectators. */
  screen?: true;
}

/** Somebody left for good; who left during a race stays listed until the rematch. */
export interface PlayerLeftMessage {
  type: "player_left";
  room: string;
  n: number;
  player: string;
  why: "left" | "kicked";
  /** As in `player_joined`. */
  screen?: true;
}

/** Role, ready mark, presence or the host's office of somebody changed. */
export interface PlayerChangedMessage {
  type: "player_changed";
  room: string;
  n: number;
  player: string;
  name?: string;
  as: "player" | "spectator";
  ready: boolean;
  online: boolean;
  host: boolean;
  /** Shown beside the name where it looks like that of somebody who was there before: 2, 3, … */
  number?: number;
}

/** The options as they are now. */
export interface OptionsMessage {
  type: "options";
  room: string;
  n: number;
  options: RoomOptions;
  seal: Seal;
  code?: Code;
  coming?: ComingDraw;
}

/** The same people in the lobby again, nobody ready, with a new deal. */
export interface LobbyMessage {
  type: "lobby";
  room: string;
  n: number;
  options: RoomOptions;
  seal: Seal;
  code?: Code;
  coming?: ComingDraw;
}

/** The race will start; or, with null, was called off. */
export interface CountdownMessage {
  type: "countdown";
  room: string;
  n: number;
  starts_at: number | null;
  why?: "nobody_ready";
}

/** The race runs. */
export interface StartedMessage {
  type: "started";
  room: string;
  n: number;
  race: string;
  starts_at: number;
  ends_at?: number;
  seal: Seal;
  code?: Code;
  /** Those who race. */
  players: string[];
}

/** How some players stand now; many changes within a tick travel in one. */
export interface ProgressMessage {
  type: "progress";
  room: string;
  n: number;
  players: ProgressLine[];
}

/** The race is over: its deal is told, and who came in how. */
export interface OverMessage {
  type: "over";
  room: string;
  n: number;
  race: string;
  /** Left out while another heat of the same round runs; `opened` brings it then. */
  code?: Code;
  seal: Seal;
  standings: Standing[];
  /** What the deal was made of, where server and racers drew it together. */
  draw?: Draw;
}

/** All heats of the round are over: the deal of this one is told. */
export interface OpenedMessage {
  type: "opened";
  room: string;
  n: number;
  race: string;
  code: Code;
}

/** Somebody shows a sign. */
export interface ReactionMessage {
  type: "reaction";
  room: string;
  n: number;
  player: string;
  reaction: "wow" | "nice" | "ouch" | "thinking" | "hurry" | "gg";
}

/** To each racer, after `started`: their own board. */
export interface BoardMessage {
  type: "board";
  room: string;
  board: BoardView;
}

/** All boards, to each who may watch from now on. */
export interface BoardsMessage {
  type: "boards";
  room: string;
  /** The number of the last news that these boards hold. */
  w: number;
  boards: Record<string, WatchedBoard>;
}

/** A racer's move, as far as it may be seen. */
export interface SeatMovedMessage {
  type: "seat_moved";
  room: string;
  w: number;
  player: string;
  turn: number;
  removed: Card[];
  revealed: Record<Spot, Card | "??" | null>;
  score: number;
  moves: number;
  status?: "racing" | "deadlocked" | "won";
  at_ms: number;
}

/** A racer took a move back. */
export interface SeatUndoneMessage {
  type: "seat_undone";
  room: string;
  w: number;
  player: string;
  turn: number;
  restored: Record<Spot, Card>;
  score: number;
  moves: number;
  status?: "racing" | "deadlocked" | "won";
  at_ms: number;
}

/** Cards that were sent as `??` may be seen now. */
export interface SeatUnmaskedMessage {
  type: "seat_unmasked";
  room: string;
  w: number;
  player: string;
  cards: Record<Spot, Card>;
  /** There once no card of the board lies face down any more. */
  status?: "racing" | "deadlocked" | "won";
}

/** To an entrant whose heat is drawn: where it is raced, and when. */
export interface RoundMessage {
  type: "round";
  tournament: string;
  round: number;
  room: string;
  starts_at: number;
}

/** A line of the organiser's for everybody. */
export interface Announcement {
  text: string;
  at: number;
}

/** A round that counts for nothing, and why. */
export interface AnnulledRound {
  round: number;
  reason: string;
}

/** Whether rounds follow one another by themselves. */
export interface AutomaticMode {
  /** The next round is drawn so long after the last one is over; null: only when asked for. */
  break_ms: number | null;
  paused: boolean;
  /** There and true where the next round waits, since nobody did anything in the last one; the same mode set again lets it go on. */
  waiting?: boolean;
}

/** A board as its own player sees it (Contract §5, *Boards*). */
export interface BoardView {
  /** Actions (moves and undos) made on it. */
  turn: number;
  piles: PileView[];
  reserve: (Card | null)[];
  score: number;
  moves: number;
  status: "racing" | "deadlocked" | "won" | "retired" | "timed_out";
  can_undo: boolean;
}

/** Who had no opponent in a round. */
export interface ByeLine {
  round: number;
  entrant: string;
}

/** A card: rank and suit. */
export type Card = string;

/** A game code as it is printed. It is read in any case, with dashes anywhere. */
export type Code = string;

/** What the server has bound itself to before any player's nonce was known. */
export interface ComingDraw {
  /** Hex SHA-256 of the secret that the deal is made of. */
  commit: Seal;
  /** The id of the race to come, a part of the sum. */
  race: string;
}

/** How the deal was drawn, so that everybody can draw it again (`halfmoon.engine.draws`). */
export interface Draw {
  commit: Seal;
  secret: Seal;
  /** By player: what those said who were ready when the race was started. */
  nonces: Record<string, string>;
}

/** A round that the organiser ended before its time: whoever still raced is `retired` with what they had. */
export interface EarlyEnd {
  round: number;
  reason: string;
  at: number;
}

/** An entrant. */
export interface EntrantLine {
  entrant: string;
  name: string;
  /** What stands beside the name where somebody before them is called the same, or looks so. */
  number?: number;
  /** False once withdrawn: they keep what they earned and are drawn no more. */
  active: boolean;
  /** There and true where they were withdrawn as nobody had taken their entry: who takes it is in again. */
  awaited?: boolean;
  /** Their place in the order of seeds, from 1. */
  seed: number;
  /** Whether a person has taken this entry; who hasn't is absent. */
  taken: boolean;
  /** Whether that person is connected to the tournament right now. */
  online: boolean;
}

/** Why a command was not carried out. */
export type ErrorCode =
  | "bad_message"
  | "rate_limited"
  | "wrong_state"
  | "unknown_room"
  | "unknown_tournament"
  | "unknown_challenge"
  | "room_full"
  | "not_allowed"
  | "stale_turn"
  | "nothing_to_undo"
  | "illegal_move"
  | "unauthorized"
  | "unavailable";

/** Whose recorded run a ghost is, and of which race. */
export interface GhostOf {
  /** Absent where that race was in a room into which not everybody may come: its record names it. */
  race?: string;
  player: string;
}

/** A heat. */
export interface HeatLine {
  round: number;
  /** Its number within the round, from 1. */
  heat: number;
  room: string;
  entrants: string[];
  state: "countdown" | "racing" | "over";
  seal: Seal;
  starts_at: number;
  /** Once it is over, best first. */
  results?: HeatResult[];
  /** Those of the entrants who have no seat: nobody had taken their entry by the draw. */
  absent?: string[];
  /** There and true where the round counts for nothing. */
  annulled?: boolean;
}

/** What a room is a heat of. */
export interface HeatOf {
  tournament: string;
  round: number;
}

/** One entrant's result in a heat; an absent one has none. */
export interface HeatResult {
  entrant: string;
  /** Within the heat, corrections counted. */
  rank: number;
  status: "won" | "retired" | "timed_out" | "deadlocked";
  best: number;
  moves: number;
  actions: number;
  time_ms: number;
  race: string;
  /** There once the result was corrected. */
  raw?: RawResult;
  /** Why it was corrected. */
  reason?: string;
}

/** The options that a command names; the others stay as they are. A `code` of null is named too: it goes back to a fresh sealed deal. */
export interface OptionChanges {
  /** The code that somebody typed; left out where the deal is sealed. */
  code?: Code | null;
  time_limit_ms?: number | null;
  undo?: boolean;
  ends?: "all" | "first_win";
  /** Players at most; spectators are not counted. */
  max_players?: number;
  /** Whether the room is listed in `/api/rooms`. */
  public?: boolean;
  /** What those who watch see of boards. */
  spectators?: "open" | "fair" | "scores" | "none";
  /** How much later those who watch are told about boards. */
  spectator_delay_ms?: number;
  /** Whether people may show each other signs. */
  reactions?: boolean;
  countdown_ms?: number;
}

/** A tableau pile as its player sees it. */
export interface PileView {
  top: Card | null;
  count: number;
}

/** A player in the snapshot of a room. */
export interface PlayerLine {
  player: string;
  name: string;
  ready: boolean;
  online: boolean;
  status: "waiting" | "racing" | "deadlocked" | "won" | "retired" | "timed_out";
  score: number;
  moves: number;
  /** The highest score so far; there once the player has a seat. */
  best?: number;
  /** Shown beside the name where it looks like that of somebody who was there before: 2, 3, … */
  number?: number;
  /** Where nobody races but a recorded run does: whose it is. */
  ghost?: GhostOf;
  /** See `ProgressLine.actions`. */
  actions?: number;
}

/** How a player stands: all that rivals are told. */
export interface ProgressLine {
  player: string;
  score: number;
  moves: number;
  status: "racing" | "deadlocked" | "won" | "retired" | "timed_out";
  best: number;
  /** The player's last change, from the start of the race. */
  at_ms: number;
  /** Moves and undos made: how far the board is, of which those who watch may see an earlier `turn`. Told to them alone. */
  actions?: number;
}

/** A result as it was raced. */
export interface RawResult {
  status: "won" | "retired" | "timed_out" | "deadlocked";
  best: number;
  time_ms: number;
}

/** Why cards may not go: the reasons of `illegal_move` (Contract §5), the first that applies. */
export type Reason =
  | "unknown_spot"
  | "same_spot"
  | "wrong_count"
  | "empty_spot"
  | "need_jack_queen_king"
  | "not_eleven";

/** All options as everybody in the room is shown them. */
export interface RoomOptions {
  /** The code that somebody typed; left out where the deal is sealed. */
  code?: Code;
  time_limit_ms: number | null;
  undo: boolean;
  ends: "all" | "first_win";
  /** Players at most; spectators are not counted. */
  max_players: number;
  /** Whether the room is listed in `/api/rooms`. */
  public: boolean;
  /** What those who watch see of boards. */
  spectators: "open" | "fair" | "scores" | "none";
  /** How much later those who watch are told about boards. */
  spectator_delay_ms: number;
  /** Whether people may show each other signs. */
  reactions: boolean;
  countdown_ms: number;
}

/** SHA-256 of the race's code, in hex. */
export type Seal = string;

/** What answers. */
export interface ServerInfo {
  version: string;
}

/** A tableau pile 1…12 or a reserve place R1…R8. */
export type Spot = string;

/** One line of the standings: the rank and every value that made it. */
export interface Standing {
  rank: number;
  player: string;
  name: string;
  status: "won" | "retired" | "timed_out" | "deadlocked";
  score: number;
  best: number;
  moves: number;
  /** Moves and undos made. */
  actions: number;
  /** When a winner won, else when `best` was first reached; 0 where nothing was scored. */
  time_ms: number;
  /** Where nobody raced here but a recorded run: whose it is. */
  ghost?: GhostOf;
}

/** A board as those who watch see it: after as many actions as may be seen. */
export interface WatchedBoard {
  turn: number;
  piles: WatchedPile[];
  reserve: (Card | null)[];
  score: number;
  moves: number;
  /** By its cards; left out while one lies face down. */
  status?: "racing" | "deadlocked" | "won";
}

/** A tableau pile as those who watch see it. */
export interface WatchedPile {
  top: Card | "??" | null;
  count: number;
}

/** What the snapshot of a room says to its reader alone. */
export interface You {
  as: "player" | "spectator";
  board?: BoardView;
}

export type Board = BoardView;
export type BoardStatus = NonNullable<WatchedBoard["status"]>;
export type News = BoardsMessage | SeatMovedMessage | SeatUndoneMessage | SeatUnmaskedMessage;
export type Options = RoomOptions;
export type OptionsChange = OptionChanges;
export type ReactionKind = ReactCommand["reaction"];
export type Role = You["as"];
export type ShownCard = NonNullable<WatchedPile["top"]>;
export type StandingLine = Standing;
export type Status = PlayerLine["status"];
