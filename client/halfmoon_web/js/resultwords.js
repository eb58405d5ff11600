/** The words of the pages of results, there as soon as this is imported: those who only race need not wait for them. */

import { results } from "./languages.js";
import { addWords } from "./words.js";

addWords(results);
