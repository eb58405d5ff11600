/** QR codes of links that hold a secret: the server draws them from the body of a call, so that the secret is in no address. */

import { svg } from "./dom.js";

/** @typedef {{side: number, path: string}} QrCode side: how many modules wide, the white around it included */

/** So many are asked for in one call. */
const AT_ONCE = 50;

/**
 * The codes of these links to pages of the server, in order.
 * @param {import("./organiserapi.js").OrganiserApi} api @param {string[]} links paths with their fragments
 * @returns {Promise<QrCode[]>}
 */
export async function codesOf(api, links) {
  /** @type {QrCode[]} */
  const codes = [];
  for (let i = 0; i < links.length; i += AT_ONCE) {
    const { codes: more } = await api.call("qr", "/api/qr", { links: links.slice(i, i + AT_ONCE) });
    codes.push(...more);
  }
  return codes;
}

/** Black on white, which every camera reads. @param {QrCode} code @param {string} label what it leads to */
export const drawn = ({ side, path }, label) =>
  svg("svg", { class: "qr", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("path", { d: path, fill: "#000" }));
