/** Motion that explains.  Nothing waits for it, and with reduced motion there is none. */

const LIFT_MS = 120;
const MEET_MS = 180;
const TURN_MS = 140;
const SHAKE_MS = 120;
const REFUSED_MS = 350;

const isReduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Cards that were removed lift, meet and fade towards the moon.
 * @param {HTMLElement} layer where the ghosts fly
 * @param {HTMLElement[]} cards the elements as they lay
 */
export function fly(layer, cards) {
  if (isReduced()) return;
  const ground = layer.getBoundingClientRect();
  const boxes = cards.map((card) => card.getBoundingClientRect());
  const middle = (/** @type {(box: DOMRect) => number} */ of) => boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
  const [mx, my] = [middle((box) => box.left + box.width / 2), middle((box) => box.top + box.height / 2)];
  cards.forEach((card, i) => {
    const box = boxes[i];
    const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
    ghost.classList.add("ghost");
    ghost.style.left = `${box.left - ground.left}px`;
    ghost.style.top = `${box.top - ground.top}px`;
    layer.append(ghost);
    const aside = (i - (cards.length - 1) / 2) * box.width * 0.3;
    const [dx, dy] = [mx - box.left - box.width / 2 + aside, my - box.top - box.height / 2];
    const flight = ghost.animate([
      { transform: "none", opacity: 1 },
      { transform: `translateY(-${box.height * 0.1}px) scale(1.04)`, opacity: 1, offset: LIFT_MS / (LIFT_MS + MEET_MS) },
      { transform: `translate(${dx}px, ${dy - box.height * 0.5}px) scale(.72)`, opacity: 0 },
    ], { duration: LIFT_MS + MEET_MS, easing: "ease-in-out" });
    flight.onfinish = flight.oncancel = () => ghost.remove();
  });
}

let isTurning = false;
/** The turn that is to be seen. @type {ViewTransition | null} */
let turn = null;

/**
 * The page turns to another screen; what else changes before it has turned is drawn along with it.
 * @param {() => void} draw
 */
export function turnPage(draw) {
  if (isReduced() || document.visibilityState !== "visible" || !document.startViewTransition) return draw();
  if (isTurning) return;
  isTurning = true;
  turn = document.startViewTransition(() => {
    isTurning = false;
    draw();
  });
  turn.ready.catch(() => undefined);
}

/** The page has turned: what is tapped while it turns is lost. */
export function endTurn() {
  turn?.skipTransition();
  turn = null;
}

/** A card that is new on its spot turns over. @param {HTMLElement} card */
export function turnOver(card) {
  if (isReduced()) return;
  card.animate(
    [{ transform: "rotateY(88deg)" }, { transform: "none" }],
    { duration: TURN_MS, easing: "ease-out" },
  );
}

/** A refusal shakes once, and is outlined long enough to be seen without motion too. @param {HTMLElement} card */
export function shake(card) {
  card.animate({ outline: ["3px solid var(--bad)", "3px solid var(--bad)"] }, { duration: REFUSED_MS });
  if (isReduced()) return;
  const at = (/** @type {number} */ x) => ({ transform: `translateX(${x}px)` });
  card.animate([at(0), at(-5), at(5), at(-3), at(0)], { duration: SHAKE_MS });
}

/**
 * A row that changed its place slides there.
 * @param {HTMLElement} list @param {() => void} rearrange
 */
export function slide(list, rearrange) {
  if (isReduced()) return rearrange();
  const tops = new Map([...list.children].map((row) => [row, row.getBoundingClientRect()]));
  rearrange();
  for (const [row, old] of tops) {
    const now = row.getBoundingClientRect();
    const [dx, dy] = [old.left - now.left, old.top - now.top];
    if (!row.isConnected || (dx === 0 && dy === 0)) continue;
    row.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 200, easing: "ease-out" });
  }
}
