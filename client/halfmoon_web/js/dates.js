/** Days and moments as the reader's own part of the world writes them, in the language of the page. */

import { currentLanguage } from "./words.js";

const locale = () => navigator.languages.find((one) => one.startsWith(currentLanguage())) ?? currentLanguage();

/** A moment by the reader's clock. @param {number} at Unix ms */
export const dateWords = (at) =>
  // A record may name any number; no calendar goes on for ever.
  new Date(Math.min(at, 8.64e15)).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });

/** A day of the server's calendar. @param {string} day such as 2026-11-30 */
export const dayWords = (day) => new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { dateStyle: "full", timeZone: "UTC" });

/** The day so many days on. @param {string} day @param {number} by @returns {string} */
export const dayFrom = (day, by) => new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);
