/** What is wrong with a record, in words. */

import "./recordwords.js";
import { duration, t } from "./words.js";

/** Columns of the standings whose heading has another name. @type {Record<string, string>} */
const HEADINGS = { time_ms: "time", name: "player" };

/** Whether it is a good file, but no record of a race. @param {import("./record.js").Fault} fault */
export const isOther = ({ what }) => what === "result_file" || what === "export";

/** @param {import("./record.js").Fault} fault */
export function faultWords({ what, values }) {
  const { column, reason, expected_ms, ended_ms } = values;
  return t(`fault.${what}`, {
    ...values,
    ...(column !== undefined && { column: t(`column.${HEADINGS[column] ?? column}`) }),
    ...(reason !== undefined && { reason: t(`reason.${reason}`) }),
    ...(expected_ms !== undefined && { expected: duration(Number(expected_ms)), told: duration(Number(ended_ms)) }),
  });
}
