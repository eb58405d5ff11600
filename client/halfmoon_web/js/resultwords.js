/** The words of the pages of results, there as soon as this is imported: those who only race need not wait for them. */

import { addWords } from "./words.js";
import de from "./words/results-de.js";
import en from "./words/results-en.js";
import hu from "./words/results-hu.js";

addWords({ de, en, hu });
