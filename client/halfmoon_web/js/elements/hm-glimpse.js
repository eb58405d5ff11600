/**
 * The game in one look: its table, with five and six lifted, for they make eleven.
 *
 *     const glimpse = document.createElement("hm-glimpse");   // an empty place until this module is there
 */

import { t } from "../words.js";
import { HmPicture } from "./hm-picture.js";

const TOPS = ["4H", "8C", "KD", "4C", "5S", "AH", "9D", "QD", "2D", "JC", "TH", "6D"];
const COUNTS = [6, 8, 5, 7, 4, 8, 6, 7, 8, 5, 3, 8];
const RESERVE = ["TD", "7S", "5C", "AC", "3S", "JH", null, "2C"];

export class HmGlimpse extends HTMLElement {
  connectedCallback() {
    if (this.childElementCount > 0) return;
    const picture = new HmPicture();
    picture.data = {
      spots: Object.fromEntries([
        ...TOPS.map((card, i) => [String(i + 1), { card, count: COUNTS[i] }]),
        ...RESERVE.map((card, i) => [`R${i + 1}`, { card, count: Number(card !== null) }]),
      ]),
      lifted: ["5", "12"], note: t("home.note"),
    };
    this.append(picture);
  }
}

customElements.define("hm-glimpse", HmGlimpse);
