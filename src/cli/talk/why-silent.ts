import { explain } from "../../rules/decide/decide.ts";
import { eventOf } from "../../runtime/runs/entry-event.ts";
import { interruptsOf } from "../../runtime/runs/listeners.ts";
import type { SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { visible } from "../output/terminal-text.ts";
import { decided } from "../rule-look/decided.ts";
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
  const kept = decided({ row: entry, event: eventOf(entry) });
  const ruleset = await projectRules(io, flags);
  const asked = kept.takenBy === undefined ? ruleset : interruptsOf(ruleset);
  const verdicts = explain(eventOf(entry), asked, kept.context);
  return visible(silenceInWords({ ...known, decided: { ...kept, verdicts } }));
}
