/** Under which address others find this page's server, for links that are sent to them. */

/** @typedef {{origin: string, isLocal: boolean}} Place isLocal: this device alone can open it */

/** The names under which a device finds itself alone; the ones that a server listens on everywhere are such too. @param {string} hostname */
export const isLoopback = (hostname) => /^(localhost|.+\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);

/**
 * The page's own address, or the better one that the server knows where the page's means this device only.
 * @param {{origin: string, hostname: string}} here
 * @param {(path: string) => Promise<Response>} [ask]
 * @returns {Promise<Place>}
 */
export async function placeOf({ origin, hostname }, ask = fetch) {
  if (!isLoopback(hostname)) return { origin, isLocal: false };
  try {
    const answer = await ask("/api/address");
    const { origin: other, reach } = await answer.json();
    if (typeof other === "string" && /^https?:\/\/[^/]+$/.test(other)) return { origin: other, isLocal: reach === "device" };
  } catch {
    // An older server knows no better address.
  }
  return { origin, isLocal: true };
}
