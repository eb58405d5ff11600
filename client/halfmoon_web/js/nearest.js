/** From one spot to the next by an arrow key: pure. */

/** @typedef {{x: number, y: number}} Point */

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** How much a step aside weighs against a step ahead, and how many of them a step ahead may take along. */
const ASIDE = 2.2;
const SLANT = 2;

/**
 * The nearest spot in the direction of an arrow key, or null.
 * @param {Record<string, Point>} spots @param {string} from @param {string} key
 */
export function nearest(spots, from, key) {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [dx, dy] = direction;
  let best = null;
  let least = Infinity;
  for (const [spot, point] of Object.entries(spots)) {
    const [x, y] = [point.x - spots[from].x, point.y - spots[from].y];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy + y * dx);
    const cost = ahead + ASIDE * aside;
    if (ahead > 1 && aside <= SLANT * ahead && cost < least) [best, least] = [spot, cost];
  }
  return best;
}
