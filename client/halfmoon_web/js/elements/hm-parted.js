/**
 * Where two runs of one deal parted: the position that both were in, what each did then, and what lay beneath.
 *
 *     const parted = document.createElement("hm-parted");
 *     parted.data = { racers: [{ replay, seat, name, sign, canBeSeen }, …] };   // runs of one deal, of one record or two
 *     // hm-see {at_ms, player, replay}: somebody wants to see it in the replay
 */

import "../recordwords.js";
import { el, send, setText } from "../dom.js";
import { signShape } from "../drawing.js";
import { differences } from "../parted.js";
import { boardOf } from "../position.js";
import { shownOn } from "../watching.js";
import { beneathWords, didWords, knownWords } from "../partedwords.js";
import { duration, t } from "../words.js";
import { HmBoard } from "./hm-board.js";

/** @typedef {import("../parted.js").Racer & {name: string, sign: number, canBeSeen: boolean}} Named canBeSeen: in a replay beside this */

export class HmParted extends HTMLElement {
  #one = el("select", { id: "parted-one" });
  #other = el("select", { id: "parted-other" });
  #count = el("p", { class: "parted-count", role: "status" });
  #before = el("button", { type: "button", class: "round quiet" }, "‹");
  #after = el("button", { type: "button", class: "round quiet" }, "›");
  #sides = [new Side(), new Side()];
  #both = el("div", { class: "parted-sides" }, ...this.#sides.map((side) => side.element));
  /** @type {Named[]} */
  #racers = [];
  /** @type {import("../parted.js").Difference[]} */
  #differences = [];
  #at = 0;
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.#build();
    this.#off = new AbortController();
    const { signal } = this.#off;
    for (const select of [this.#one, this.#other]) select.addEventListener("change", () => this.#compare(), { signal });
    this.#before.addEventListener("click", () => this.#go(-1), { signal });
    this.#after.addEventListener("click", () => this.#go(1), { signal });
    this.#sides.forEach((side, i) => side.see.addEventListener("click", () => this.#see(i), { signal }));
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {{racers: Named[]}} */ { racers }) {
    this.#racers = racers;
    this.hidden = racers.length < 2;
    for (const select of [this.#one, this.#other]) {
      select.replaceChildren(...racers.map(({ name }, i) => el("option", { value: String(i) }, name)));
    }
    this.#one.value = "0";
    this.#other.value = String(Math.min(1, racers.length - 1));
    this.#compare();
  }

  /** Chooses whom to compare, by their places in `racers`. @param {number} one @param {number} other */
  compare(one, other) {
    this.#one.value = String(one);
    this.#other.value = String(other);
    this.#compare();
  }

  #build() {
    this.#before.setAttribute("aria-label", t("parted.previous"));
    this.#after.setAttribute("aria-label", t("parted.next"));
    this.append(
      el("div", { class: "parted-who" },
        el("div", {}, el("label", { for: "parted-one" }, t("parted.one")), this.#one),
        el("div", {}, el("label", { for: "parted-other" }, t("parted.other")), this.#other)),
      el("div", { class: "parted-steps" }, this.#before, this.#count, this.#after), this.#both);
  }

  get #pair() {
    return [this.#one, this.#other].map((select) => this.#racers[Number(select.value)]);
  }

  #compare() {
    const [one, other] = this.#pair;
    this.#at = 0;
    this.#differences = one && other ? differences(one, other) : [];
    this.#show();
  }

  /** @param {number} by */
  #go(by) {
    this.#at = Math.min(Math.max(0, this.#at + by), this.#differences.length - 1);
    this.#show();
  }

  #show() {
    const found = this.#differences[this.#at];
    const count = this.#differences.length;
    this.#before.disabled = this.#at === 0;
    this.#after.disabled = this.#at >= count - 1;
    this.#both.hidden = found === undefined;
    const [one, other] = this.#pair;
    if (found === undefined) return setText(this.#count, t(one === other ? "parted.same" : "parted.none"));
    const { moves: made, score } = found.position;
    setText(this.#count, [t("parted.number", { number: this.#at + 1, of: count }), t("parted.position", { count: made, score })].join(" "));
    [one, other].forEach((racer, i) => this.#sides[i].show(racer, found.position, found.choices[i]));
  }

  /** @param {number} i */
  #see(i) {
    const { replay, seat } = this.#pair[i];
    // Just before it is done.
    const at_ms = this.#differences[this.#at].choices[i].at_ms - 1;
    send(this, "see", { replay, player: replay.record.players[seat].player, at_ms });
  }
}

/** What one of the two did, and the board on which. */
class Side {
  #sign = el("span", { class: "sign-place" });
  #name = el("bdi");
  #time = el("small");
  #board = new HmBoard();
  #did = el("p");
  #beneath = el("p", { class: "muted" });
  #known = el("p", { class: "muted" });
  see = el("button", { type: "button" });
  element = el("div", { class: "parted-side" },
    el("div", { class: "parted-head" }, this.#sign, this.#name, this.#time), this.#board, this.#did, this.#beneath, this.#known, this.see);

  /** @param {Named} racer @param {import("../position.js").Position} position @param {import("../parted.js").Choice} choice */
  show({ replay, name, sign, canBeSeen }, position, choice) {
    this.#board.inert = true;
    this.#sign.replaceChildren(signShape(sign));
    setText(this.#name, name);
    setText(this.#time, duration(choice.at_ms));
    this.#board.spots = shownOn(boardOf(replay.deal, position));
    this.#board.selected = choice.what === "move" ? choice.spots : [];
    setText(this.#did, didWords(name, choice));
    setText(this.#beneath, beneathWords(choice));
    setText(this.#known, knownWords(name, choice));
    this.see.hidden = !canBeSeen;
    setText(this.see, t("parted.see"));
    this.see.setAttribute("aria-label", `${t("parted.see")}: ${name}, ${duration(choice.at_ms)}`);
  }
}

customElements.define("hm-parted", HmParted);
