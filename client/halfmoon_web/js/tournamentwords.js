/** Brings in the words of the tournament pages, which whoever only races never needs. */

import { addWords } from "./words.js";
import de from "./words/tournaments-de.js";
import en from "./words/tournaments-en.js";
import hu from "./words/tournaments-hu.js";

addWords({ de, en, hu });
