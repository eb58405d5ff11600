/**
 * The rules on a card: three lines for who never played, and how it is ranked for who asks.
 *
 *     const rules = document.createElement("hm-rules");
 *     rules.data = { format: "series" };          // what the table ranks by
 *     rules.data = { format: "series", isShort: true };   // for a wall: the three lines alone
 */

import { el, setText } from "../dom.js";
import { t } from "../words.js";

export class HmRules extends HTMLElement {
  #race = el("p", { class: "muted" });
  #table = el("p", { class: "muted" });
  #more = el("details", {}, el("summary", {}, t("rules.all")), el("p", { class: "muted" }, t("rules.moves")), this.#race, this.#table);

  connectedCallback() {
    if (this.childElementCount > 0) return;
    this.append(el("h2", {}, t("rules.title")),
      el("ul", { class: "rule-lines" }, ...["home.pair", "home.triple", "home.race"].map((key) => el("li", {}, t(key)))), this.#more);
  }

  set data(/** @type {{format: import("../tabling.js").Format, isShort?: boolean}} */ { format, isShort = false }) {
    setText(this.#race, t("over.rule"));
    setText(this.#table, t(`table.rule_${format}`));
    this.#more.hidden = isShort;
  }
}

customElements.define("hm-rules", HmRules);
