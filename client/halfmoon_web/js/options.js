/** The options of a race: how each is said in words, shown in a form, and read from it.  Contract §5. */

import { duration, has, t } from "./words.js";

/**
 * @typedef {import("./messages.js").Options} Options
 * @typedef {import("./messages.js").OptionsChange} OptionsChange
 */

/**
 * @typedef {object} Field
 * @property {keyof Options} name
 * @property {"text" | "number" | "tick" | "choice"} kind
 * @property {(options: Options) => string} words for those who can't change it
 * @property {(options: Options) => string} read the value as the form shows it
 * @property {(value: string) => OptionsChange | null} write null where the value can't be
 * @property {"minutes" | "seconds" | null} unit of the number in the form
 * @property {() => string} placeholder
 * @property {() => [string, string][]} choices values and their words
 */

const nothing = { unit: null, placeholder: () => "", choices: () => /** @type {[string, string][]} */ ([]) };

/** @param {string} value @param {number} least @param {number} most */
function whole(value, least, most) {
  const number = Number(value.trim().replace(",", "."));
  const rounded = Math.round(number);
  return value.trim() !== "" && Number.isFinite(number) && rounded >= least && rounded <= most ? rounded : null;
}

/** @param {string} value @param {number} unit_ms @param {number} least_ms @param {number} most_ms */
function milliseconds(value, unit_ms, least_ms, most_ms) {
  const number = Number(value.trim().replace(",", "."));
  if (value.trim() === "" || !Number.isFinite(number)) return null;
  return whole(String(number * unit_ms), least_ms, most_ms);
}

/** Five decimals of a minute still name each millisecond. @param {number} ms @param {number} unit_ms */
const inUnits = (ms, unit_ms) => String(Math.round((ms / unit_ms) * 1e5) / 1e5);

/** @type {Field} */
const code = {
  ...nothing, name: "code", kind: "text",
  words: (options) => options.code ?? t("option.code_sealed"),
  read: (options) => options.code ?? "",
  write: (value) => ({ code: value.trim() === "" ? null : value.trim() }),
  placeholder: () => t("option.code_empty"),
};

/** @type {Field} */
const timeLimit = {
  ...nothing, name: "time_limit_ms", kind: "number", unit: "minutes",
  words: (options) => (options.time_limit_ms === null ? t("option.no_limit") : duration(options.time_limit_ms)),
  read: (options) => (options.time_limit_ms === null ? "" : inUnits(options.time_limit_ms, 60_000)),
  write: (value) => {
    if (value.trim() === "") return { time_limit_ms: null };
    const ms = milliseconds(value, 60_000, 1_000, 86_400_000);
    return ms === null ? null : { time_limit_ms: ms };
  },
  placeholder: () => t("option.no_limit"),
};

/** @param {"undo" | "public" | "reactions"} name @returns {Field} */
const tick = (name) => ({
  ...nothing, name, kind: "tick",
  words: (options) => t(options[name] ? `option.${name}_yes` : `option.${name}_no`),
  read: (options) => String(options[name]),
  write: (value) => ({ [name]: value === "true" }),
});

/** @param {"ends" | "spectators"} name @param {string[]} values @returns {Field} */
const choice = (name, values) => ({
  ...nothing, name, kind: "choice",
  words: (options) => t(`option.${name}_${options[name]}`),
  read: (options) => options[name],
  write: (value) => ({ [name]: value }),
  choices: () => values.map((value) => [value, t(`option.${name}_${value}`)]),
});

/** @type {Field} */
const maxPlayers = {
  ...nothing, name: "max_players", kind: "number",
  words: (options) => t("option.at_most", { count: options.max_players }),
  read: (options) => String(options.max_players),
  write: (value) => {
    const count = whole(value, 1, 1_000);
    return count === null ? null : { max_players: count };
  },
};

/** @param {"spectator_delay_ms" | "countdown_ms"} name @param {number} most_ms @returns {Field} */
const seconds = (name, most_ms) => ({
  ...nothing, name, kind: "number", unit: "seconds",
  words: (options) => (options[name] === 0 ? t("option.none") : t("option.seconds", { count: Number(inUnits(options[name], 1_000)) })),
  read: (options) => inUnits(options[name], 1_000),
  write: (value) => {
    const ms = milliseconds(value, 1_000, 0, most_ms);
    return ms === null ? null : { [name]: ms };
  },
});

/** The name above a field in the form. @param {Field} field */
export const labelOf = ({ name, unit }) => (unit === null ? t(`option.${name}`) : t(`option.in_${unit}`, { name: t(`option.${name}`) }));

/** Which field it is and what it takes, for who wrote something else. @param {Field} field */
export const boundsOf = ({ name }) => (has(`bounds.${name}`) ? t(`bounds.${name}`) : t("error.set_options.bad_message"));

/** In the order in which they are shown. @type {Field[]} */
export const FIELDS = [
  code,
  timeLimit,
  tick("undo"),
  choice("ends", ["all", "first_win"]),
  maxPlayers,
  seconds("countdown_ms", 60_000),
  choice("spectators", ["open", "fair", "scores", "none"]),
  seconds("spectator_delay_ms", 3_600_000),
  tick("reactions"),
  tick("public"),
];
