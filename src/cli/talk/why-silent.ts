import { eventOf } from "../../runtime/runs/entry-event.ts";
import type { SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { visible } from "../../text/unseen.ts";
import { decided } from "../../traces/decided.ts";
import { verdictsOn } from "../../traces/verdicts.ts";
import { projectRules } from "../rule-look/project-rules.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { TalkOutcome } from "./ask-bot.ts";
import { pauseOf } from "./course.ts";
import { notDeliveredInWords, pendingDeliveries } from "./not-delivered.ts";
import { silenceInWords } from "./silence.ts";

export interface SilenceContext {
  /** Sandbox in which the bot was written to. */
  readonly sandbox: LocalSandbox;
  readonly waitedMs: number;
  readonly flags: SettingsFlags;
}

/** Why the bot gave no answer, in one sentence: from the sandbox, its journal, and what its rules say of the event. */
export async function whySilent(
  io: Io,
  { said, course }: Pick<TalkOutcome, "said" | "course">,
  { sandbox, waitedMs, flags }: SilenceContext,
): Promise<string> {
  const bot = sandbox.file.bot.username;
  const known = { said, course, bot, waitedMs };
  const { entry, status } = course;
  if (entry === undefined && status !== undefined && pauseOf(status, said.account) === undefined) {
    const undelivered = notDeliveredInWords(said, await pendingDeliveries(sandbox));
    if (undelivered !== undefined) return undelivered;
  }
  if (entry === undefined || entry.state === "open") return visible(silenceInWords(known));
  const event = eventOf(entry);
  const kept = decided({ row: entry });
  const ruleset = await projectRules(io, flags);
  const verdicts = verdictsOn(event, ruleset, kept);
  return visible(silenceInWords({ ...known, decided: { ...kept, verdicts } }));
}
