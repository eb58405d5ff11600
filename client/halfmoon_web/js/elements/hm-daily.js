/**
 * The day's deal: the same for everybody on this server; results open once one has played.
 *
 *     const daily = document.createElement("hm-daily");
 *     await daily.open();      // the day stands in the address, `?day=2026-11-29`, else it is today
 *     // hm-wish {name, wish}
 */

import "../resultwords.js";
import { ask } from "../asking.js";
import { dealParts, wayBack, whoAmI } from "../contestparts.js";
import { dayFrom, dayWords } from "../dates.js";
import { el, setText } from "../dom.js";
import { duration, t } from "../words.js";
import { HmContesttable } from "./hm-contesttable.js";
import { HmEarlier } from "./hm-earlier.js";
import { HmSetout } from "./hm-setout.js";

const TICK_MS = 1_000;

export class HmDaily extends HTMLElement {
  #left = el("span", { class: "left", role: "timer" });
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  async open() {
    const day = new URLSearchParams(location.search).get("day");
    const path = `/api/daily${day === null ? "" : `?day=${encodeURIComponent(day)}`}`;
    const [{ status, body, at }, me] = await Promise.all([ask(path), whoAmI()]);
    if (status !== 200) return this.#refuse(day, status);
    const isToday = at < body.ends_at;
    if (isToday) this.#count(body.ends_at, at);
    const table = new HmContesttable();
    const earlier = new HmEarlier();
    this.replaceChildren(
      el("section", { class: "panel results" },
        el("h1", { tabindex: "-1" }, t("daily.title")), el("p", { class: "day" }, dayWords(body.day)),
        ...(isToday ? [el("p", { class: "muted" }, t("daily.left"), " ", this.#left), ...this.#ways(body)] : []),
        ...dealParts(body)),
      el("section", { class: "panel results" }, el("h2", {}, t("daily.table")), el("p", { class: "muted" }, t("daily.players", { count: body.players })), table),
      earlier, days(body.day, isToday));
    const shutWords = t(isToday ? "daily.shut" : "daily.shut_since");
    table.data = { path: path.includes("?") ? path : `${path}?day=${body.day}`, shown: body, me, shutWords };
    await earlier.open(body.day);
  }

  /** @param {{played: boolean, room?: string}} daily */
  #ways({ played, room }) {
    if (played) return [el("p", {}, t("daily.played"))];
    if (room !== undefined) return [wayBack(room)];
    const setOut = new HmSetout();
    setOut.ways = [{ words: t("daily.play"), wish: { starts: true, daily: true } }];
    return [el("p", { class: "muted" }, t("daily.words")), setOut];
  }

  /** @param {number} ends_at @param {number} at the server's time now */
  #count(ends_at, at) {
    const ahead_ms = at - Date.now();
    const tick = () => {
      const left_ms = ends_at - Date.now() - ahead_ms;
      setText(this.#left, duration(left_ms));
      if (left_ms <= 0) this.#turn();
    };
    this.#timer = setInterval(tick, TICK_MS);
    tick();
  }

  /** The next day has begun. */
  #turn() {
    clearInterval(this.#timer);
    this.open();
  }

  /** @param {string | null} day @param {number} status */
  #refuse(day, status) {
    const isMissing = status === 404 || status === 400;
    this.replaceChildren(
      el("section", { class: "panel results" }, el("h1", { tabindex: "-1" }, t("daily.title")),
        el("p", { role: "alert" }, t(isMissing ? "daily.none" : "aside.unreachable"))),
      ...(day !== null && status === 404 ? [days(day, false)] : [el("a", { class: "button", href: "/daily" }, t("daily.today"))]));
  }
}

/** The ways to other days. @param {string} day @param {boolean} isToday */
const days = (day, isToday) =>
  el("nav", { class: "days", "aria-label": t("daily.days") },
    el("a", { class: "button", href: `/daily?day=${dayFrom(day, -1)}` }, `‹ ${t("daily.before")}`),
    ...(isToday ? [] : [
      el("a", { class: "button", href: "/daily" }, t("daily.today")),
      el("a", { class: "button", href: `/daily?day=${dayFrom(day, 1)}` }, `${t("daily.after")} ›`),
    ]));

customElements.define("hm-daily", HmDaily);
