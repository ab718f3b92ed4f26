import { eventOf } from "../../runtime/runs/entry-event.ts";
import type { SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { visible } from "../../text/unseen.ts";
import { decided } from "../../traces/decided.ts";
import { verdictsOn } from "../../traces/verdicts.ts";
import { projectRules } from "../rule-look/project-rules.ts";
import type { TalkOutcome } from "./ask-bot.ts";
import { silenceInWords } from "./silence.ts";

export interface SilenceContext {
  /** Handle of the bot, without `@`. */
  readonly bot: string;
  readonly waitedMs: number;
  readonly flags: SettingsFlags;
}

/** Why the bot gave no answer, in one sentence: from its journal, and from what its rules say of the event. */
export async function whySilent(
  io: Io,
  { said, course }: Pick<TalkOutcome, "said" | "course">,
  { bot, waitedMs, flags }: SilenceContext,
): Promise<string> {
  const known = { said, course, bot, waitedMs };
  const { entry } = course;
  if (entry === undefined || entry.state === "open") return visible(silenceInWords(known));
  const event = eventOf(entry);
  const kept = decided({ row: entry });
  const ruleset = await projectRules(io, flags);
  const verdicts = verdictsOn(event, ruleset, kept);
  return visible(silenceInWords({ ...known, decided: { ...kept, verdicts } }));
}
