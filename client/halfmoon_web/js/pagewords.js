/** The words of all but the first screen, there as soon as this is imported. */

import { addWords } from "./words.js";
import de from "./words/de.js";
import en from "./words/en.js";
import hu from "./words/hu.js";

addWords({ de, en, hu });
