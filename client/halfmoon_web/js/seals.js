/** What codes and seals show of themselves, without any being computed. */

/** Whether nobody knew the code before the race. @param {string} code */
export const isSealed = (code) => code.startsWith("HM1-S-");

/** The ends of a seal, by which it is known again. @param {string} seal */
export const shortSeal = (seal) => `${seal.slice(0, 4)}…${seal.slice(-4)}`;
