/**
 * What can be done during a race: undo, and retire, which asks once, in place; leaving for who only watches.
 *
 *     const actions = document.createElement("hm-actions");
 *     actions.data = { plays: true, canUndo: true, undoAllowed: true, isDeadlocked: false, reactions: true, isHeat: false, best: 115 };
 *     // hm-undo · hm-retire · hm-leave · hm-react {reaction}
 */

import { el, send, setText } from "../dom.js";
import { Layer } from "../layers.js";
import { t } from "../words.js";
import { HmReactions } from "./hm-reactions.js";

/** @typedef {{plays: boolean, canUndo: boolean, undoAllowed: boolean, isDeadlocked: boolean, reactions: boolean, isHeat?: boolean, best?: number}} ActionsData */

export class HmActions extends HTMLElement {
  #undo = el("button", { type: "button", class: "main" });
  #retire = el("button", { type: "button" });
  #leave = el("button", { type: "button" });
  #question = el("p", { class: "question" });
  #yes = el("button", { type: "button", class: "danger" });
  #no = el("button", { type: "button" });
  #reactions = new HmReactions();
  #isAsking = false;
  /** @type {ActionsData} */
  #data = { plays: false, canUndo: false, undoAllowed: true, isDeadlocked: false, reactions: false };
  #layer = new Layer(() => this.#ask(false));
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.append(this.#question, this.#undo, this.#retire, this.#yes, this.#no, this.#leave, this.#reactions);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#undo.addEventListener("click", () => send(this, "undo"), { signal });
    this.#leave.addEventListener("click", () => send(this, "leave"), { signal });
    this.#retire.addEventListener("click", () => this.#ask(true), { signal });
    this.#no.addEventListener("click", () => this.#ask(false), { signal });
    this.#yes.addEventListener("click", () => {
      this.#ask(false);
      send(this, "retire");
    }, { signal });
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#isAsking) this.#ask(false);
    }, { signal });
    this.#render();
  }

  disconnectedCallback() {
    this.#layer.isOpen = false;
    this.#off.abort();
  }

  set data(/** @type {ActionsData} */ data) {
    this.#data = data;
    if (!data.plays) this.#isAsking = false;
    this.#render();
  }

  /** @param {boolean} isAsking */
  #ask(isAsking) {
    this.#isAsking = isAsking;
    this.#render();
    (isAsking ? this.#no : this.#retire).focus();
  }

  #render() {
    const { plays, canUndo, undoAllowed, isDeadlocked, reactions, isHeat = false, best = 0 } = this.#data;
    const asks = this.#isAsking;
    this.#layer.isOpen = asks;
    this.#undo.hidden = !plays || !undoAllowed || asks;
    this.#retire.hidden = !plays || asks;
    this.#question.hidden = this.#yes.hidden = this.#no.hidden = !asks;
    this.#leave.hidden = plays;
    this.#reactions.hidden = !reactions || asks;
    this.#undo.setAttribute("aria-disabled", String(!canUndo));
    this.classList.toggle("asking", asks);
    this.classList.toggle("deadlocked", isDeadlocked);
    setText(this.#undo, t("race.undo"));
    setText(this.#retire, t("race.retire"));
    setText(this.#question, t("race.retire_question", { best }));
    setText(this.#yes, t("race.retire_yes"));
    setText(this.#no, t("race.retire_no"));
    setText(this.#leave, t(isHeat ? "over.to_tournament" : "lobby.leave"));
  }
}

customElements.define("hm-actions", HmActions);
