import type { RunAgain } from "../../../insight/traces/run-again.ts";
import { Chip, type Tone } from "./chip.tsx";

const WORDS: Readonly<Record<RunAgain["compared"], readonly [Tone, string]>> = {
  same: ["idle", "the same"],
  other: ["warn", "differs"],
  later: ["info", "goes on later"],
};

/** Shows whether the current rules give the same result as the rules that processed the event. */
export function Compared({ compared }: Pick<RunAgain, "compared">) {
  const [tone, word] = WORDS[compared];
  return <Chip tone={tone}>{word}</Chip>;
}
