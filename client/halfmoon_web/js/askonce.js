/** A button that asks once, in its own place, before something is done that can't be undone. */

import { setText } from "./dom.js";

/** So long the question stands. */
const ASKED_MS = 5_000;

/**
 * @param {HTMLButtonElement} button @param {string} words what it says @param {string} question what it says when pressed
 * @param {() => void} act @param {AbortSignal} [signal]
 */
export function askOnce(button, words, question, act, signal) {
  let isAsking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const rest = () => {
    isAsking = false;
    clearTimeout(timer);
    button.classList.remove("danger");
    setText(button, words);
  };
  rest();
  button.addEventListener("click", () => {
    if (isAsking) {
      rest();
      return act();
    }
    isAsking = true;
    button.classList.add("danger");
    setText(button, question);
    timer = setTimeout(rest, ASKED_MS);
  }, { signal });
  button.addEventListener("blur", rest, { signal });
}
