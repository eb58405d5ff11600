/** Making elements, and keeping a list of them in step with a list of values without redrawing it. */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | boolean>} [attributes] true is an attribute without a value, false none
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Sets the text where it differs, so that a selection of it stays. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Children of `parent` in step with `items`: one element an item, found again by its key, moved and never remade.
 * @template I
 * @param {HTMLElement} parent
 * @param {I[]} items
 * @param {(item: I) => string} keyOf
 * @param {(item: I) => HTMLElement} make
 * @param {(element: HTMLElement, item: I, index: number) => void} update
 */
export function keyed(parent, items, keyOf, make, update) {
  const old = new Map([...parent.children].map((child) => [child.getAttribute("data-key") ?? "", child]));
  let before = parent.firstElementChild;
  items.forEach((item, index) => {
    const key = keyOf(item);
    const known = old.get(key);
    old.delete(key);
    const element = known instanceof HTMLElement ? known : make(item);
    element.dataset.key = key;
    update(element, item, index);
    if (element === before) before = before.nextElementSibling;
    else parent.insertBefore(element, before);
  });
  old.forEach((child) => child.remove());
}

/**
 * Sends an `hm-…` event up the tree.
 * @param {HTMLElement} from @param {string} name without the `hm-` @param {unknown} [detail]
 */
export function send(from, name, detail) {
  from.dispatchEvent(new CustomEvent(`hm-${name}`, { bubbles: true, detail }));
}
