/** Drawing no more often than it can be afforded: many changes within a moment are drawn as one. */

/** For each millisecond that drawing took, so many pass until it is done again. */
const REST = 4;
const LONGEST_MS = 1_000;

/**
 * What `draw` does, on the next frame and after a rest; called again before that it changes nothing.
 * @param {() => void} draw
 * @param {{now: () => number, later: (run: () => void, ms: number) => unknown, frame: (run: () => void) => unknown}} [world]
 * @returns {() => void}
 */
export function paced(draw, world = BROWSER) {
  let isDue = false;
  let restedAt = 0;
  const run = () => {
    isDue = false;
    const begun = world.now();
    draw();
    restedAt = world.now() + Math.min(LONGEST_MS, REST * (world.now() - begun));
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const rest_ms = restedAt - world.now();
    if (rest_ms > 0) world.later(() => world.frame(run), rest_ms);
    else world.frame(run);
  };
}

/** A page that isn't seen has no frames, and nothing to draw until it is. */
const BROWSER = {
  now: () => performance.now(),
  later: (/** @type {() => void} */ run, /** @type {number} */ ms) => setTimeout(run, ms),
  frame: (/** @type {() => void} */ run) => requestAnimationFrame(run),
};
