/** What the player does on their board: the hand of play.js, kept in step with what is sent and what is answered. */

import { EMPTY_HAND, carriedOut, letGo, nextAction, tapped, undoPressed } from "./play.js";

/**
 * @typedef {import("./messages.js").Command} Command
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./room.js").Room} Room
 */

export class Acting {
  #send;
  #refused;
  #hand = EMPTY_HAND;

  /**
   * @param {(command: Command) => void} send
   * @param {(spots: string[]) => void} refused these cards stay
   */
  constructor(send, refused) {
    this.#send = send;
    this.#refused = refused;
  }

  get hand() {
    return this.#hand;
  }

  /** Nothing is selected or under way any more. */
  letGo() {
    this.#hand = letGo(this.#hand);
  }

  /**
   * A tap on a spot of one's own board.
   * @param {Room | null} room @param {string} spot
   * @param {(spots: string[]) => void} leaving called before the cards of a finished move leave
   * @returns {string | null} why the tap didn't fit
   */
  tap(room, spot, leaving) {
    const board = playableBoard(room);
    if (!board) return null;
    const before = this.#hand.actions.length;
    const { hand, reason } = tapped(this.#hand, board, spot);
    const move = hand.actions.length > before ? hand.actions[before] : undefined;
    if (move) leaving(move.spots);
    this.#hand = hand;
    this.pump(room);
    return reason;
  }

  /** @param {Room | null} room */
  undo(room) {
    const board = playableBoard(room);
    if (!board || !room?.options.undo) return;
    this.#hand = undoPressed(this.#hand, board);
    this.pump(room);
  }

  /**
   * What a message means for the hand.
   * @param {Room | null} room as it is after the message
   * @param {Message} message @param {Command | undefined} command what it answers
   */
  settle(room, message, command) {
    const board = playableBoard(room);
    const wasAction = command?.type === "move" || command?.type === "undo";
    if (!board || message.type === "board") this.letGo();
    else if (wasAction && message.type === "error") {
      this.letGo();
      this.#refused(command.type === "move" ? command.spots : []);
    } else if (wasAction) this.#hand = carriedOut(this.#hand, board);
  }

  /** Sends the next action, if it is time for one. @param {Room | null} room */
  pump(room) {
    const board = playableBoard(room);
    if (!room || !board) return;
    const { hand, action } = nextAction(this.#hand);
    this.#hand = hand;
    if (!action) return;
    const command = { room: room.room, turn: board.turn };
    this.#send(action.type === "move"
      ? { type: "move", ...command, spots: action.spots }
      : { type: "undo", ...command });
  }
}

/** One's own board, while one may act on it. @param {Room | null} room */
function playableBoard(room) {
  const board = room?.state === "racing" ? room.you.board : undefined;
  return board?.status === "racing" || board?.status === "deadlocked" ? board : undefined;
}
