/**
 * What somebody calls out, for a while.
 *
 *     const reaction = document.createElement("hm-reaction");
 *     reaction.called = room.reaction;      // each number is shown once
 */

import { isReaction, reactionSign } from "../reactions.js";
import { t } from "../words.js";

const SHOWN_MS = 3_000;

export class HmReaction extends HTMLElement {
  #shown = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.replaceChildren();
  }

  set called(/** @type {import("../room.js").Room["reaction"]} */ called) {
    if (!called || called.n === this.#shown || !isReaction(called.reaction)) return;
    this.#shown = called.n;
    this.replaceChildren(reactionSign(called.reaction), t(`reaction.${called.reaction}`));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.replaceChildren(), SHOWN_MS);
  }
}

customElements.define("hm-reaction", HmReaction);
