/** What stands in a tournament's table: every value that ranks, by form of tournament.  Pure but for the words. */

import { currentLanguage, exactTime, t } from "./words.js";

/**
 * @typedef {"series" | "swiss" | "knockout"} Format
 * @typedef {"rank" | "name" | "points" | "wins" | "buchholz" | "sonneborn_berger" | "best" | "time_ms"} Column
 * @typedef {{round: number, points: number, rank?: number, best?: number, time_ms?: number, opponents?: string[], bye?: boolean, absent?: boolean}} RoundPoints
 * @typedef {{rank: number, entrant: string, name: string, points: number, wins: number, best: number, time_ms: number, buchholz?: number, sonneborn_berger?: number, rounds: RoundPoints[], active: boolean}} Row
 * @typedef {{rule: string, rows: Row[]}} Standings
 */

/** In the order in which they rank. @type {Record<Format, Column[]>} */
export const COLUMNS = {
  series: ["rank", "name", "points", "wins", "best", "time_ms"],
  swiss: ["rank", "name", "points", "buchholz", "sonneborn_berger", "best", "time_ms", "wins"],
  knockout: ["rank", "name", "points", "wins", "best", "time_ms"],
};

/** Points as they are written: a series' are percent. @param {Format} format @param {number} points */
export function pointsText(format, points) {
  const digits = format === "series" ? 2 : 0;
  return points.toLocaleString(currentLanguage(), { minimumFractionDigits: digits, maximumFractionDigits: 2 });
}

/** @param {Format} format @param {Row} row @param {Column} column */
export function cellText(format, row, column) {
  if (column === "points") return pointsText(format, row.points);
  if (column === "time_ms") return exactTime(row.time_ms);
  if (column === "buchholz" || column === "sonneborn_berger") return pointsText("swiss", row[column] ?? 0);
  return String(row[column]);
}

/** What a round brought, in a few signs; "" where it brought nothing. @param {Format} format @param {RoundPoints | undefined} one */
export function roundText(format, one) {
  if (one === undefined) return "–";
  const points = pointsText(format, one.points);
  if (one.bye) return t("table.bye", { points });
  return one.absent ? t("table.absent", { points }) : points;
}

/** The numbers of the rounds in the table. @param {Row[]} rows */
export const roundsIn = (rows) => [...new Set(rows.flatMap((row) => row.rounds.map((one) => one.round)))].sort((a, b) => a - b);

/** The rows once a round has brought something; before it all are equal, and no place says anything. @param {Row[]} rows */
export const ended = (rows) => (rows.some((row) => row.rounds.length > 0) ? rows : []);

/** Who stands on the podium: all of the first three ranks who have earned something. @param {Row[]} rows */
export const podium = (rows) => rows.filter((row) => row.rank <= 3 && row.points > 0);
