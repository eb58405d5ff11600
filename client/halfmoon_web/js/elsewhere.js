/**
 * Pages beside the rooms.  A module of its own between them and `main.js`: what is opened from here comes after all that
 * a race needs, and never along with it.
 */

import { bringInLateSheets } from "./look.js";

/** @param {{record: string, storage: Storage | null}} page the race whose record it is, "" for the place to drop one */
export async function open({ record, storage }) {
  const { beginRecords } = await import("./records.js");
  await bringInLateSheets();
  await beginRecords(record, storage);
}
