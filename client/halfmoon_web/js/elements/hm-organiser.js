/**
 * Where tournaments are made and found again; without a key, where it is typed.
 *
 *     const page = document.createElement("hm-organiser");
 *     page.data = { hasKey: true, tournaments: [], trouble: "", isBusy: false, device: null, called: "Phone 42" };
 *     // hm-key {key} · hm-make {plan} · hm-open {tournament} · hm-device · hm-call {name} · hm-forget
 */

import { el, keyed, send, setText } from "../dom.js";
import { drawn } from "../qrdrawing.js";
import { t } from "../words.js";
import { HmPlan } from "./hm-plan.js";

/** @typedef {{tournament: string, name: string, format: "series" | "swiss" | "knockout", state: string, round: number, rounds?: number, entrants: number}} TournamentLine */
/** @typedef {{hasKey: boolean, tournaments: TournamentLine[] | null, trouble: string, isBusy: boolean, device: import("../qrdrawing.js").QrCode | null, called: string}} OrganiserData */

export class HmOrganiser extends HTMLElement {
  #trouble = el("p", { class: "trouble", role: "alert" });
  #key = el("input", { id: "organiser-key", type: "password", autocomplete: "off", maxlength: "400" });
  #keyForm = el("form", { class: "panel ways" }, el("p", {}, t("organiser.no_key")), el("label", { for: "organiser-key" }, t("organiser.key")), this.#key,
    el("button", { type: "submit", class: "main" }, t("organiser.use_key")));
  #called = el("input", { id: "device-name", maxlength: "24", autocomplete: "off" });
  #callForm = el("form", { class: "call-form" }, el("label", { for: "device-name" }, t("device.called")),
    el("div", { class: "line-form" }, this.#called, el("button", { type: "submit" }, t("device.keep"))));
  #plan = new HmPlan();
  #list = el("ul", { class: "tournament-list" });
  #none = el("p", { class: "muted" });
  #device = el("button", { type: "button" }, t("organiser.device"));
  #deviceCode = el("div", { class: "device-code" });
  #forget = el("button", { type: "button", class: "quiet" }, t("organiser.forget"));
  #panels = el("div", { class: "organiser-panels" },
    el("section", { class: "panel" }, el("h2", {}, t("organiser.new")), this.#plan),
    el("div", { class: "organiser-side" },
      el("section", { class: "panel" }, el("h2", {}, t("organiser.all")), this.#none, this.#list),
      el("section", { class: "panel" }, el("h2", {}, t("organiser.devices")), el("p", { class: "muted" }, t("organiser.device_words")), this.#device, this.#deviceCode, this.#callForm, this.#forget)));
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) this.append(el("h1", { tabindex: "-1" }, t("organiser.title")), this.#trouble, this.#keyForm, this.#panels);
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#keyForm.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#key.value.trim() === "") return this.#key.focus();
      send(this, "key", { key: this.#key.value.trim() });
      this.#key.value = "";
    }, { signal });
    this.#callForm.addEventListener("submit", (event) => {
      event.preventDefault();
      send(this, "call", { name: this.#called.value });
    }, { signal });
    this.#device.addEventListener("click", () => send(this, "device"), { signal });
    this.#forget.addEventListener("click", () => send(this, "forget"), { signal });
    this.#list.addEventListener("click", (event) => {
      const line = event.target instanceof Element ? event.target.closest("button") : null;
      if (line?.dataset.tournament) send(this, "open", { tournament: line.dataset.tournament });
    }, { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set data(/** @type {OrganiserData} */ { hasKey, tournaments, trouble, isBusy, device, called }) {
    setText(this.#trouble, trouble);
    this.#keyForm.hidden = hasKey;
    this.#panels.hidden = !hasKey;
    this.#plan.busy = isBusy;
    if (document.activeElement !== this.#called) this.#called.value = called;
    setText(this.#none, tournaments?.length === 0 ? t("organiser.none") : "");
    keyed(this.#list, tournaments ?? [], (line) => line.tournament,
      () => el("li", {}, el("button", { type: "button" }, el("bdi"), el("small"))), updateLine);
    this.#deviceCode.hidden = device === null;
    if (device) this.#deviceCode.replaceChildren(drawn(device, t("organiser.device_code")), el("p", { class: "muted" }, t("organiser.device_code")));
  }
}

/** @param {HTMLElement} element @param {TournamentLine} line */
function updateLine(element, line) {
  const button = /** @type {HTMLElement} */ (element.firstElementChild);
  button.dataset.tournament = line.tournament;
  const [name, small] = button.children;
  setText(name, line.name);
  setText(small, [t(`plan.format_${line.format}`), t(`stage.${line.state}`), t("organiser.entrants", { count: line.entrants })].join(" · "));
}

customElements.define("hm-organiser", HmOrganiser);
