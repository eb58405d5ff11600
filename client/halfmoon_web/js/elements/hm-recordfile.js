/**
 * A place where a record can be dropped, or chosen as a file.
 *
 *     const file = document.createElement("hm-recordfile");
 *     file.words = "Drop a record here …";
 *     file.trouble = "The seal isn't that of the code.";
 *     file.addEventListener("hm-record", ({ detail }) => …);   // detail.text
 */

import "../recordwords.js";
import { el, send, setText } from "../dom.js";
import { textOf } from "../strictly.js";
import { t } from "../words.js";

/** A record of a thousand racers has a few megabytes. */
const LARGEST = 64 * 1024 * 1024;

export class HmRecordfile extends HTMLElement {
  #words = el("span");
  #input = el("input", { type: "file", accept: ".json,application/json", class: "offscreen" });
  #button = el("label", { class: "button" }, this.#input);
  #trouble = el("p", { class: "trouble", role: "alert" });
  #off = new AbortController();

  connectedCallback() {
    if (this.childElementCount === 0) {
      this.#button.append(t("record.choose"));
      this.append(el("div", { class: "drop-zone" }, this.#words, this.#button), this.#trouble);
    }
    this.#off = new AbortController();
    const { signal } = this.#off;
    this.#input.addEventListener("change", () => this.take(this.#input.files), { signal });
    for (const name of ["dragenter", "dragover"]) this.addEventListener(name, () => this.classList.add("over"), { signal });
    for (const name of ["dragleave", "drop"]) this.addEventListener(name, () => this.classList.remove("over"), { signal });
  }

  disconnectedCallback() {
    this.#off.abort();
  }

  set words(/** @type {string} */ words) {
    setText(this.#words, words);
  }

  set trouble(/** @type {string} */ trouble) {
    setText(this.#trouble, trouble);
  }

  /** Reads the first of these files. @param {FileList | null | undefined} files */
  async take(files) {
    const file = files?.[0];
    if (!file) return;
    this.trouble = "";
    if (file.size > LARGEST) this.trouble = t("fault.json");
    else send(this, "record", { text: textOf(await file.arrayBuffer()) });
    // The same file may be chosen again, once it was changed.
    this.#input.value = "";
  }
}

customElements.define("hm-recordfile", HmRecordfile);
