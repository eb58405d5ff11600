/** A button that asks once, in its own place, before something is done that can't be undone. */

import { setText } from "./dom.js";

/** So long the question stands. */
const ASKED_MS = 5_000;

/**
 * @param {HTMLButtonElement} button @param {string} words what it says @param {string | (() => string)} question what it says when pressed; "" asks nothing
 * @param {() => void} act @param {AbortSignal} [signal]
 * @returns {(words: string) => void} says something else from now on
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
    const asked = typeof question === "string" ? question : question();
    if (isAsking || asked === "") {
      rest();
      return act();
    }
    isAsking = true;
    button.classList.add("danger");
    setText(button, asked);
    timer = setTimeout(rest, ASKED_MS);
  }, { signal });
  button.addEventListener("blur", rest, { signal });
  return (other) => {
    words = other;
    if (!isAsking) setText(button, words);
  };
}
