/** The words of records and replays, there as soon as this is imported: those who only race need not wait for them. */

import { records } from "./languages.js";
import { addWords } from "./words.js";

addWords(records);
