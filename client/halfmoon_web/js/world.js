/** What the browser gives a connection: sockets, time, chance. */

/** The socket's address beside the page's own. */
export function socketUrl() {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`;
}

/** @returns {import("./line.js").World} */
export function browserWorld() {
  const words = crypto.getRandomValues(new Uint32Array(3));
  return {
    socket: (url, protocol) => new WebSocket(url, protocol),
    now: () => performance.now(),
    random: Math.random,
    later: (run, ms) => setTimeout(run, ms),
    never: (timer) => clearTimeout(timer),
    idPrefix: [...words].map((word) => word.toString(36)).join(""),
  };
}
