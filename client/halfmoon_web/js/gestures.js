/** What fingers, mouse and keys do on the board: each becomes a tap or an undo, and is felt. */

import { exposedOn } from "./cards.js";
import { dropTaps } from "./dropping.js";
import { t } from "./words.js";

/**
 * What gestures work on.
 * @typedef {object} Table
 * @property {import("./session.js").Session} session
 * @property {import("./senses.js").Senses} senses
 * @property {() => import("./elements/hm-race.js").HmRace | null} race where it is shown
 * @property {() => boolean} tellsReasons whether the player wants to know why a tap didn't fit
 * @property {() => boolean} takesHint whether the player is still to be told where that is set; asking counts as told
 * @property {() => void} changed
 */

export class Gestures {
  #table;
  /** Why the last tap didn't fit. @type {string | null} */
  reason = null;
  /** Whether it is said, in place of why, where that is set. */
  hints = false;

  /** @param {Table} table */
  constructor(table) {
    this.#table = table;
  }

  /** @param {string} spot */
  tap(spot) {
    const { session, senses } = this.#table;
    const race = this.#table.race();
    if (race === null) return;
    const selected = session.view.hand.selected;
    let left = 0;
    this.reason = session.tap(spot, (spots) => {
      left = spots.length;
      race.fly(spots);
    });
    const isCleared = this.reason !== null && session.view.hand.selected.length === 0;
    if (isCleared) this.refuse([spot, ...selected]);
    else if (left > 0) senses.feel(left === 2 ? "pair" : "triple");
    else if (session.view.hand.selected !== selected) senses.feel("tap");
    if (this.reason !== null) senses.say(t(this.#table.tellsReasons() ? `reason.${this.reason}` : "say.stays"));
    this.hints = isCleared && !this.#table.tellsReasons() && this.#table.takesHint();
    this.#table.changed();
  }

  /** These cards stay. @param {string[]} spots */
  refuse(spots) {
    this.#table.race()?.shake(spots);
    this.#table.senses.feel("refused");
  }

  /** One card was drawn onto another. @param {string} from @param {string} to */
  drop(from, to) {
    const { state, hand } = this.#table.session.view;
    const board = state.room?.you.board;
    if (!board) return;
    dropTaps(hand.selected, from, to, (spot) => exposedOn(board, spot)).forEach((spot) => this.tap(spot));
  }

  /** A spot named on the keyboard: the focus goes there too. @param {string} spot */
  type(spot) {
    this.#table.race()?.focusSpot(spot);
    this.tap(spot);
  }

  undo() {
    const { session, senses } = this.#table;
    const { hand } = session.view;
    session.undo();
    if (session.view.hand.actions !== hand.actions) senses.feel("undo");
  }
}
