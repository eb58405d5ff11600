/** Brings in the words of the tournament pages, which whoever only races never needs. */

import { tournaments } from "./languages.js";
import { addWords } from "./words.js";

addWords(tournaments);
