/** What a refusal or a piece of news is in words. */

import { has, t } from "./words.js";

/** @param {import("./state.js").News | null} news */
export function newsWords(news) {
  if (!news) return "";
  const candidates = [
    news.reason && `reason.${news.reason}`,
    news.bar && `error.bar.${news.bar}`,
    `error.${news.command}.${news.what}`,
    `error.${news.what}`,
  ];
  const key = candidates.find((one) => one !== undefined && has(one));
  return t(key ?? "error.unknown", { name: news.name ?? "" });
}
