/** Short sounds, made here by Web Audio; nothing is loaded. */

/** Notes as [hertz, begins at s, lasts s]. @type {Record<string, [number, number, number][]>} */
const TUNES = {
  tap: [[660, 0, 0.05]],
  pair: [[523, 0, 0.09], [784, 0.07, 0.16]],
  triple: [[523, 0, 0.09], [659, 0.06, 0.09], [784, 0.12, 0.2]],
  refused: [[165, 0, 0.13]],
  undo: [[440, 0, 0.07], [349, 0.06, 0.1]],
  count: [[440, 0, 0.09]],
  started: [[880, 0, 0.28]],
  deadlocked: [[330, 0, 0.14], [262, 0.13, 0.14], [208, 0.26, 0.3]],
  won: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.14], [1047, 0.36, 0.5]],
  over: [[587, 0, 0.16], [440, 0.15, 0.3]],
  reaction: [[988, 0, 0.06]],
};

const LOUD = 0.12;

/** @type {AudioContext | null} */
let context = null;

/** @param {string} name */
export function playSound(name) {
  // Before anybody pressed anything a browser refuses, and says so loudly.
  if (typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => undefined);
  for (const note of TUNES[name] ?? []) playNote(context, ...note);
}

/** @param {AudioContext} audio @param {number} hertz @param {number} begins_s @param {number} lasts_s */
function playNote(audio, hertz, begins_s, lasts_s) {
  const at = audio.currentTime + begins_s;
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: hertz });
  const loudness = new GainNode(audio, { gain: 0 });
  loudness.gain.setValueAtTime(0, at);
  loudness.gain.linearRampToValueAtTime(LOUD, at + 0.008);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + lasts_s);
  tone.connect(loudness).connect(audio.destination);
  tone.start(at);
  tone.stop(at + lasts_s);
}
