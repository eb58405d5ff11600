/** What is asked over HTTP as the player whom this browser knows: some things are open only to who has played. */

import { IdentityStore, storageOf } from "./identity.js";

/** The server doesn't know the token, such as one of a data folder that is gone, or was told too many of that kind. */
const UNKNOWN = new Set([401, 429]);

/** No answer came. */
export const UNREACHED = 0;

/**
 * What the server answered.
 * @typedef {object} Answer
 * @property {number} status `UNREACHED` where nothing came
 * @property {any} body what its JSON holds, null where there is none
 * @property {number} at when it was answered by the server's clock, Unix ms by whole seconds
 */

const tokenHere = () => new IdentityStore(storageOf("localStorage"), storageOf("sessionStorage")).identity.token;

/** Whether this browser knows who plays here. */
export const knowsPlayer = () => tokenHere() !== undefined;

/** @param {string} path @param {RequestInit} [request] @returns {Promise<Response>} */
async function asPlayer(path, request = {}) {
  const token = tokenHere();
  const { headers } = request;
  const known = token === undefined ? request : { ...request, headers: { ...headers, Authorization: `Bearer ${token}` } };
  const answer = await fetch(path, known);
  const isUnknown = token !== undefined && UNKNOWN.has(answer.status) && request.method === undefined;
  return isUnknown ? fetch(path) : answer;
}

/**
 * The record of a race as the server has it; rejects with the status where it gives none.
 * @param {string} race @returns {Promise<string>} JSON
 */
export async function askRecord(race) {
  const answer = await asPlayer(`/api/races/${encodeURIComponent(race)}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

/** Asks for something, as oneself where the server knows who that is. @param {string} path @returns {Promise<Answer>} */
export const ask = (path) => answered(asPlayer(path));

/** Asks for something to be made. @param {string} path @param {unknown} body @returns {Promise<Answer>} */
export const tell = (path, body) =>
  answered(asPlayer(path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }));

/** @param {Promise<Response>} coming @returns {Promise<Answer>} */
async function answered(coming) {
  try {
    const answer = await coming;
    const at = Date.parse(answer.headers.get("Date") ?? "");
    const isJson = (answer.headers.get("Content-Type") ?? "").startsWith("application/json");
    return { status: answer.status, body: isJson ? await answer.json() : null, at: Number.isNaN(at) ? Date.now() : at };
  } catch {
    return { status: UNREACHED, body: null, at: Date.now() };
  }
}
