/** One player's session: what goes out, what comes in, and where one sits.  It knows no page. */

import { Acting } from "./acting.js";
import { Clock } from "./clock.js";
import { RoomCommands } from "./commands.js";
import { Connection } from "./connection.js";
import { isDeserted } from "./room.js";
import { NOTHING, haveRead, hear, told } from "./state.js";

/**
 * @typedef {import("./messages.js").Command} Command
 * @typedef {import("./messages.js").Message} Message
 * @typedef {import("./messages.js").OptionsChange} OptionsChange
 * @typedef {import("./messages.js").Role} Role
 */

/**
 * All that the page shows.
 * @typedef {object} View
 * @property {import("./state.js").State} state
 * @property {import("./play.js").Hand} hand
 * @property {import("./connection.js").Status} status
 */

/**
 * What the page wants to hear of.
 * @typedef {object} Page
 * @property {() => void} changed
 * @property {(spots: string[]) => void} refused these cards stay
 * @property {(message: Extract<Message, {type: "moved" | "undone"}>) => void} [acted] the server carried it out
 * @property {(message: Message, command: Command | undefined) => void} [heard] everything, before the rest is told
 */

/** A room of one that starts by itself. */
const ALONE = { max_players: 1, countdown_ms: 0, time_limit_ms: null };

export class Session {
  #changed;
  #acted;
  #tapped;
  #identity;
  #connection;
  #acting;
  #state = NOTHING;
  /** @type {import("./connection.js").Status} */
  #status = "idle";
  #startsAlone = false;
  #isAsking = false;
  #isReturning = false;
  /** What it says of itself where it comes in. @type {{screen?: true}} */
  #screen;

  /**
   * @param {string} url
   * @param {import("./line.js").World} world
   * @param {import("./identity.js").IdentityStore} identity
   * @param {Page} page
   * @param {boolean} [isScreen] whether it is a wall or an overlay
   */
  constructor(url, world, identity, page, isScreen = false) {
    this.#screen = isScreen ? { screen: true } : {};
    this.#changed = page.changed;
    this.#acted = page.acted;
    this.#tapped = page.heard;
    this.#identity = identity;
    this.clock = new Clock(world.now);
    this.commands = new RoomCommands((command) => this.#tell(command), () => this.#state.room?.coming?.commit);
    this.#connection = new Connection(url, world, {
      heard: (message, command) => this.#heard(message, command),
      status: (status) => this.#becomes(status),
      who: () => this.#identity.identity,
      disowned: () => this.#identity.disown(),
    });
    this.#acting = new Acting((command) => this.#connection.send(command), page.refused);
  }

  /** @returns {View} */
  get view() {
    return { state: this.#state, hand: this.#acting.hand, status: this.#status };
  }

  /** Whether the room that a reload comes back to is still being asked for. */
  get isReturning() {
    return this.#isReturning;
  }

  /** Comes back to the room that this browser was in. @param {string} room */
  comeBack(room) {
    const seat = this.#identity.seat;
    if (!seat || !this.#identity.comesBackTo(room)) return false;
    this.#isReturning = true;
    this.#connection.sitIn(seat);
    this.#connection.open();
    return true;
  }

  /** @param {string} name @param {OptionsChange} [options] */
  create(name, options = {}) {
    this.#introduce(name);
    this.#connection.send({ type: "create_room", options });
  }

  /** Opens the room that was wished for on another page. @param {string} name @param {import("./wishes.js").Wish} wish */
  open(name, { starts, ...what }) {
    this.#startsAlone = starts;
    this.#isReturning = true;
    this.#introduce(name);
    this.#connection.send({ type: "create_room", ...what });
  }

  /** @param {string} name */
  playAlone(name) {
    this.#startsAlone = true;
    this.create(name, ALONE);
  }

  /** @param {string} name @param {string} room @param {Role} as */
  join(name, room, as) {
    this.#introduce(name);
    this.#connection.send({ type: "join_room", room, as, ...this.#screen });
  }

  /**
   * Is somewhere besides rooms: this command is said on each new line.
   * @param {string} name who comes @param {() => Command | null} visits
   */
  visit(name, visits) {
    // Under another name one comes anew, so the name is said first.
    this.#introduce(name);
    this.#connection.visit(visits);
  }

  /** Nothing is said on new lines besides any more. */
  endVisit() {
    this.#connection.visit(() => null);
  }

  /** @param {string} [code] the same deal again, or a new sealed one */
  rematch(code) {
    const { room: before } = this.#state;
    this.#startsAlone = before?.options.max_players === 1;
    this.#tell((room) => ({ type: "rematch", room, ...(code !== undefined && { code }) }));
    // Nobody else would be there to race.
    if (before && isDeserted(before)) this.changeRole("player");
  }

  /** @param {Role} as what one is from now on, also where the room has to be asked for meanwhile */
  changeRole(as) {
    const { room } = this.#state;
    if (room) this.#connection.sitIn({ room: room.room, as, ...this.#screen });
    this.commands.changeRole(as);
  }

  /** From the results to the lobby, where a rematch was called meanwhile. @param {boolean} isReady for the next race at once */
  goOn(isReady) {
    this.#state = haveRead(this.#state);
    if (isReady) this.commands.setReady(true);
    this.#changed();
  }

  /** Somebody else plays in this tab from now on; who played here is away. */
  someoneElse() {
    this.#connection.close();
    this.#identity.startAnew();
    this.#state = NOTHING;
    this.#acting.letGo();
    this.#startsAlone = this.#isReturning = false;
    this.#changed();
  }

  /** Starts the race, and not without the host who pressed it but hadn't said to be ready. */
  start() {
    const { room, me } = this.#state;
    const self = room?.players.find((line) => line.player === me?.player);
    if (self && !self.ready) this.commands.setReady(true);
    this.commands.start();
  }

  /** Takes the seat back from the tab or the device where it was continued. */
  takeBack() {
    this.#connection.open();
  }

  /** The page woke up or the network came back. */
  wake() {
    this.#connection.check();
    this.#connection.ask();
  }

  newsTold() {
    this.#state = told(this.#state);
    this.#changed();
  }

  /**
   * A tap on a spot of one's own board.
   * @param {string} spot
   * @param {(spots: string[]) => void} leaving called before the cards of a finished move leave
   * @returns {string | null} why the tap didn't fit
   */
  tap(spot, leaving) {
    const reason = this.#acting.tap(this.#state.room, spot, leaving);
    this.#changed();
    return reason;
  }

  undo() {
    this.#acting.undo(this.#state.room);
    this.#changed();
  }

  /** @param {(room: string) => Command} command */
  #tell(command) {
    const room = this.#state.room;
    if (room) this.#connection.send(command(room.room));
  }

  /** A name is said in hello only, so another name needs another hello. @param {string} name */
  #introduce(name) {
    this.#state = told(this.#state);
    const isOther = name !== this.#identity.identity.name;
    this.#identity.keep({ name });
    if (isOther && this.#status === "open") this.#connection.reopen();
    else this.#connection.open();
  }

  /** @param {import("./connection.js").Status} status */
  #becomes(status) {
    this.#status = status;
    if (status !== "open") this.#isAsking = false;
    this.#changed();
  }

  /** @param {Message} message @param {Command | undefined} command */
  #heard(message, command) {
    if (message.type === "clock") return this.clock.sample(message.t, message.at);
    if (message.type === "welcome") {
      this.clock.welcome(message.at);
      if (!this.#identity.becomes(message.name, message.token)) return this.#connection.reopen();
    }
    const before = this.#state.room;
    this.#state = hear(this.#state, message, command);
    this.#tapped?.(message, command);
    if (message.type === "moved" || message.type === "undone") this.#acted?.(message);
    this.#acting.settle(this.#state.room, message, command);
    this.#follow(message, command, before);
    this.#acting.pump(this.#state.room);
    this.#changed();
  }

  /**
   * What else a message asks for.
   * @param {Message} message @param {Command | undefined} command
   * @param {import("./room.js").Room | null} before
   */
  #follow(message, command, before) {
    const { room, gap } = this.#state;
    const isRefusedJoin = message.type === "error" && command?.type === "join_room";
    const isRefusedReturn = isRefusedJoin && room === null;
    const isRefusedName = message.type === "error" && command?.type === "hello";
    if (isRefusedName) this.#identity.keep({ name: undefined });
    const isRefusedRoom = message.type === "error" && command?.type === "create_room";
    if (room || isRefusedReturn || isRefusedName || isRefusedRoom) this.#isReturning = false;
    if (room?.room !== before?.room || room?.you.as !== before?.you.as || isRefusedJoin) this.#sit(room);
    if (gap && !this.#isAsking) this.#connection.ask();
    this.#isAsking = gap;
    if ((message.type === "room" || message.type === "lobby") && this.#startsAlone) this.#startAlone();
    if (message.type === "error") this.#startsAlone = false;
  }

  /** A reload and a lost connection come back to here. @param {import("./room.js").Room | null} room */
  #sit(room) {
    const seat = room && { room: room.room, as: room.you.as, ...this.#screen };
    this.#connection.sitIn(seat);
    this.#identity.sit(seat);
  }

  #startAlone() {
    this.#startsAlone = false;
    this.commands.setReady(true);
    this.commands.start();
  }
}
