/** The words of all but the first screen, there as soon as this is imported. */

import { page } from "./languages.js";
import { addWords } from "./words.js";

addWords(page);
