/** What goes over the wire: one union for what a client says, one for what it hears. */

export type Status = "waiting" | "racing" | "deadlocked" | "won" | "retired" | "timed_out";
export type Role = "player" | "spectator";
export type Reason =
  | "unknown_spot" | "same_spot" | "wrong_count" | "empty_spot" | "need_jack_queen_king" | "not_eleven";

export interface Options {
  code?: string;
  time_limit_ms: number | null;
  undo: boolean;
  ends: "all" | "first_win";
  max_players: number;
  public: boolean;
  spectators: "open" | "fair" | "scores" | "none";
  spectator_delay_ms: number;
  countdown_ms: number;
}

/** Options as a host names them: only what changes; a null code is a fresh sealed deal. */
export type OptionsChange = Partial<Omit<Options, "code">> & { code?: string | null };

export interface Board {
  turn: number;
  piles: { top: string | null; count: number }[];
  reserve: (string | null)[];
  score: number;
  moves: number;
  status?: Status;
  can_undo?: boolean;
}

export interface PlayerLine {
  player: string;
  name: string;
  ready: boolean;
  online: boolean;
  status: Status;
  score: number;
  moves: number;
}

export interface ProgressLine {
  player: string;
  score: number;
  moves: number;
  status: Status;
  best: number;
  at_ms: number;
}

export interface StandingLine {
  rank: number;
  player: string;
  name: string;
  status: Status;
  score: number;
  best: number;
  moves: number;
  actions: number;
  time_ms: number;
}

interface Sent { id?: string }
interface InRoom extends Sent { room: string }

export type Command =
  | (Sent & { type: "hello"; name?: string; token?: string })
  | (Sent & { type: "clock"; t: number })
  | (Sent & { type: "create_room"; options?: OptionsChange })
  | (InRoom & { type: "join_room"; as?: Role })
  | (InRoom & { type: "leave_room" })
  | (InRoom & { type: "set_ready"; ready: boolean })
  | (InRoom & { type: "start" })
  | (InRoom & { type: "set_options"; options: OptionsChange })
  | (InRoom & { type: "kick"; player: string })
  | (InRoom & { type: "rematch"; code?: string })
  | (InRoom & { type: "move"; turn: number; spots: string[] })
  | (InRoom & { type: "undo"; turn: number })
  | (InRoom & { type: "retire" });

interface Answer { re?: string }
interface Told { room: string; n: number }

export type Message =
  | (Answer & { type: "welcome"; player: string; name: string; token: string; server: { version: string }; at: number })
  | (Answer & { type: "clock"; t: number; at: number })
  | (Answer & { type: "error"; code: string; message: string; room?: string; reason?: Reason; board?: Board; retry_ms?: number })
  | (Answer & { type: "ok"; room: string })
  | (Answer & { type: "left"; room: string })
  | (Answer & {
      type: "room"; room: string; n: number; w?: number;
      state: "lobby" | "countdown" | "racing" | "over";
      host: string; host_name: string; options: Options; seal: string; code?: string;
      players: PlayerLine[]; spectators: number; starts_at?: number; ends_at?: number; race?: string;
      standings?: StandingLine[]; boards?: Record<string, Board>; you: { as: Role; board?: Board };
    })
  | (Answer & {
      type: "moved"; room: string; turn: number; removed: string[]; revealed: Record<string, string | null>;
      score: number; moves: number; status: Status; at_ms: number;
    })
  | (Answer & {
      type: "undone"; room: string; turn: number; restored: Record<string, string>;
      score: number; moves: number; status: Status; at_ms: number;
    })
  | { type: "board"; room: string; board: Board }
  | (Told & { type: "player_joined"; player: string; name: string; as: Role; ready: boolean; online: boolean })
  | (Told & { type: "player_left"; player: string; why: "left" | "kicked" })
  | (Told & { type: "player_changed"; player: string; as: Role; ready: boolean; online: boolean; host: boolean })
  | (Told & { type: "options"; options: Options; seal: string; code?: string })
  | (Told & { type: "lobby"; options: Options; seal: string; code?: string })
  | (Told & { type: "countdown"; starts_at: number | null; why?: string })
  | (Told & { type: "started"; race: string; starts_at: number; ends_at?: number; seal: string; code?: string; players: string[] })
  | (Told & { type: "progress"; players: ProgressLine[] })
  | (Told & { type: "over"; race: string; code: string; seal: string; standings: StandingLine[] });
