/** The words of records and replays, there as soon as this is imported: those who only race need not wait for them. */

import { addWords } from "./words.js";
import de from "./words/records-de.js";
import en from "./words/records-en.js";
import hu from "./words/records-hu.js";

addWords({ de, en, hu });
