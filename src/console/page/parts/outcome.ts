import type { TraceOutcomeWord } from "../../../insight/traces/outcome/outcome-words.ts";
import type { Tone } from "./chip.tsx";

const TONES: Readonly<Record<TraceOutcomeWord, Tone>> = {
  answered: "good",
  acted: "idle",
  sending: "info",
  waiting: "info",
  held: "warn",
  taken: "info",
  error: "bad",
  dropped: "bad",
  "cooling-down": "warn",
  limited: "warn",
  paused: "warn",
  undecided: "info",
  "not-asked": "idle",
  own: "idle",
  "no-match": "idle",
  "no-rule": "idle",
};

/** Returns the tone (colour and icon) for an outcome. */
export function toneOf(word: TraceOutcomeWord): Tone {
  return TONES[word];
}
