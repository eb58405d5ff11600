/** A list that is too long for its place: as much of it as fits, part after part. */

/** @typedef {{from: number, to: number, count: number}} Part of a list, its lines counted from 1 */

export class Leafing {
  #list;
  #from = 0;
  #next = 0;

  /** @param {{children: Iterable<Element>}} list */
  constructor(list) {
    this.#list = list;
  }

  /** The first part again. */
  begin() {
    this.#from = this.#next = 0;
  }

  /** The next part, and after the last the first. */
  turn() {
    this.#from = this.#next;
  }

  /**
   * Shows what ends above a line, at least one.
   * @param {number} bottom in CSS px, as `getBoundingClientRect` counts
   * @returns {Part}
   */
  show(bottom) {
    const all = /** @type {HTMLElement[]} */ ([...this.#list.children]);
    if (this.#from >= all.length) this.#from = 0;
    this.#show(all, all.length);
    const low = all.findIndex((one, i) => i > this.#from && one.getBoundingClientRect().bottom > bottom + 1);
    const end = low < 0 ? all.length : low;
    if (low >= 0) this.#show(all, end);
    this.#next = end % Math.max(1, all.length);
    return { from: this.#from + 1, to: end, count: all.length };
  }

  /** @param {HTMLElement[]} all @param {number} end */
  #show(all, end) {
    all.forEach((one, i) => (one.hidden = i < this.#from || i >= end));
  }
}
