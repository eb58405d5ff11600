/**
 * What was done in a tournament, who did it and when, the newest first.
 *
 *     const deeds = document.createElement("hm-deeds");
 *     deeds.data = { log, tournament };
 */

import { el, keyed, setText } from "../dom.js";
import { nameOf } from "../tournament.js";
import { currentLanguage, has, t } from "../words.js";

/** @typedef {import("./hm-conduct.js").LogLine} LogLine */

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
      setText(by, t(`deed.by_${line.by}`));
      setText(what, wordsOf(line, tournament));
    });
  }
}

/** In one's own language, where what was done is told by its kind; else as the server says it. @param {LogLine} line @param {import("../tournament.js").Tournament} tournament */
function wordsOf({ what, text, entrant, round, heat, reason }, tournament) {
  const key = `deed.${what}`;
  if (!has(key)) return text;
  return t(key, { name: entrant === undefined ? "" : nameOf(tournament, entrant), round: round ?? 0, heat: heat ?? 0, reason: reason ?? "" });
}

customElements.define("hm-deeds", HmDeeds);
