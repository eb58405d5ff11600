/**
 * Whether the code that is shown now is the one that was promised: computed here.
 *
 *     const seal = document.createElement("hm-seal");
 *     seal.data = { code: "HM1-S-…", seal: "9f3a…", isOpen: false };   // an open deal has nothing to prove and shows nothing
 *     seal.whole = true;    // all digits at once, where checking them is the point
 *     seal.data = { code, seal, isOpen: false, drawn: { draw, room, race, commit } };   // and that nobody chose it
 */

import { el, setText, svg } from "../dom.js";
import { checked } from "../draws.js";
import { sealOf } from "../sealing.js";
import { isSealed, shortSeal } from "../seals.js";
import { t } from "../words.js";

/** @typedef {{draw: import("../messages.js").Draw, room: string, race: string, commit?: string}} Drawn */

export class HmSeal extends HTMLElement {
  #words = el("p");
  #short = el("summary");
  #digits = el("code");
  #commit = el("small");
  #details = el("details", {}, this.#short, this.#digits, this.#commit);
  #code = "";

  connectedCallback() {
    if (this.childElementCount > 0) return;
    const sign = svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { d: "M12 2.5L20 5.5V11C20 16 17 20 12 21.5C7 20 4 16 4 11V5.5Z", "stroke-linejoin": "round" }),
      svg("path", { class: "tick", d: "M8 12L11 15L16 9" }), svg("path", { class: "cross", d: "M9 9L15 15M15 9L9 15" }));
    this.append(sign, el("div", {}, this.#words, this.#details));
  }

  set whole(/** @type {boolean} */ whole) {
    this.#details.open = whole;
  }

  set data(/** @type {{code: string, seal: string, isOpen: boolean, drawn?: Drawn}} */ { code, seal, isOpen, drawn }) {
    this.hidden = isOpen || !isSealed(code);
    if (this.hidden || code === this.#code) return;
    this.#code = code;
    this.dataset.result = "checking";
    setText(this.#words, t("seal.checking"));
    setText(this.#short, t("seal.whole", { seal: shortSeal(seal) }));
    setText(this.#digits, seal);
    sealOf(code).then((found) => this.#show(found === seal ? "fits" : "broken", code, drawn));
  }

  /** @param {"fits" | "broken"} result @param {string} code @param {Drawn} [drawn] */
  #show(result, code, drawn) {
    const draw = drawn && checked(drawn.draw, { ...drawn, code });
    this.dataset.result = draw && draw !== "fits" ? "broken" : result;
    if (this.dataset.result === "broken") this.#details.open = true;
    const count = Object.keys(drawn?.draw.nonces ?? {}).length;
    const words = [t(`seal.${result}`), ...(draw && (draw !== "fits" || count > 0) ? [t(`seal.draw_${draw}`, { count })] : [])];
    setText(this.#words, words.join(" "));
    setText(this.#commit, draw && count > 0 ? t("seal.draw_commit", { commit: drawn.draw.commit }) : "");
  }
}

customElements.define("hm-seal", HmSeal);
