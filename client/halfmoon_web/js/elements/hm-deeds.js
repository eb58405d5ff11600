/**
 * What was done in a tournament, who did it and when, the newest first.
 *
 *     const deeds = document.createElement("hm-deeds");
 *     deeds.data = { log, tournament };
 */

import { byWords, logWords } from "../logwords.js";
import { el, keyed, setText } from "../dom.js";
import { currentLanguage } from "../words.js";

/** @typedef {import("../logwords.js").LogLine} LogLine */

export class HmDeeds extends HTMLElement {
  #list = el("ol", { class: "deeds" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#list);
  }

  set data(/** @type {{log: LogLine[], tournament: import("../tournament.js").Tournament}} */ { log, tournament }) {
    const clock = new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "medium" });
    keyed(this.#list, [...log].reverse(), (line) => String(line.seq), () => el("li", {}, el("time"), el("small"), el("span")), (element, line) => {
      const [time, by, what] = element.children;
      setText(time, clock.format(line.at));
      setText(by, byWords(line));
      setText(what, logWords(line, tournament));
    });
  }
}

customElements.define("hm-deeds", HmDeeds);
