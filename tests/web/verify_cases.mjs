/** Reads texts of records from a file of JSON and writes what the page says of each: node verify_cases.mjs CASES ANSWERS. */

import { readFileSync, writeFileSync } from "node:fs";

import { verify } from "../../client/halfmoon_web/js/verify.js";

const [cases, answers] = process.argv.slice(2);
const texts = JSON.parse(readFileSync(cases, "utf8"));
writeFileSync(answers, JSON.stringify(texts.map((text) => verify(text).fault?.place ?? null)));
