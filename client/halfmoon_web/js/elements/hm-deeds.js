/**
 * What was done in a tournament, who did it and when, the newest first.
 *
 *     const deeds = document.createElement("hm-deeds");
 *     deeds.data = { log, tournament };
 */

import { byWords, logWords } from "../logwords.js";
import { el, keyed, setText } from "../dom.js";
import { currentLanguage, t } from "../words.js";

/** @typedef {import("../logwords.js").LogLine} LogLine */

export class HmDeeds extends HTMLElement {
  #zone = el("p", { class: "muted" });
  #list = el("ol", { class: "deeds" });

  connectedCallback() {
    if (this.childElementCount === 0) this.append(this.#zone, this.#list);
  }

  set data(/** @type {{log: LogLine[], tournament: import("../tournament.js").Tournament}} */ { log, tournament }) {
    const clock = new Intl.DateTimeFormat(currentLanguage(), { timeStyle: "medium", hourCycle: "h23" });
    const day = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: "short" });
    const today = day.format(Date.now());
    setText(this.#zone, t("deed.zone", { zone: clock.resolvedOptions().timeZone }));
    keyed(this.#list, [...log].reverse(), (line) => String(line.seq), () => el("li", {}, el("time"), el("small"), el("span")), (element, line) => {
      const [time, by, what] = element.children;
      const date = day.format(line.at);
      setText(time, (date === today ? "" : `${date} `) + clock.format(line.at));
      time.setAttribute("datetime", new Date(line.at).toISOString());
      setText(by, byWords(line));
      setText(what, logWords(line, tournament));
    });
  }
}

customElements.define("hm-deeds", HmDeeds);
