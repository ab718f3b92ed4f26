import { callRuntime } from "../../runtime/calls.ts";
import { eventOf } from "../../runtime/runs.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { visible } from "../../text/unseen.ts";
import { decided } from "../../insight/traces/decided.ts";
import { verdictsOn } from "../../insight/traces/verdicts.ts";
import { dataFolder, settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import { projectRules } from "../project-rules.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { TalkOutcome } from "./ask-bot.ts";
import { pauseOf } from "./course.ts";
import { notDeliveredInWords, pendingDeliveries } from "./not-delivered.ts";
import { silenceInWords } from "./silence.ts";

export interface SilenceContext {
  /** Sandbox in which the message was sent. */
  readonly sandbox: LocalSandbox;
  readonly waitedMs: number;
  readonly flags: SettingsFlags;
}

/**
 * Returns a sentence with the reason why the bot did not answer, derived from the sandbox, the journal and the
 * verdicts of the rules.
 */
export async function whySilent(
  io: Io,
  { said, course }: Pick<TalkOutcome, "said" | "course">,
  { sandbox, waitedMs, flags }: SilenceContext,
): Promise<string> {
  const bot = sandbox.file.bot.username;
  const knownFacts = { said, course, bot, waitedMs };
  const { entry, status } = course;
  if (entry === undefined && status !== undefined && pauseOf(status, said.account) === undefined) {
    const undelivered = notDeliveredInWords(said, await pendingDeliveries(sandbox));
    if (undelivered !== undefined) return undelivered;
  }
  if (entry === undefined || entry.state === "open") return visible(silenceInWords(knownFacts));
  const event = eventOf(entry);
  const storedDecision = decided({ row: entry });
  const ruleset = await projectRules(io, flags);
  const verdicts = verdictsOn(event, ruleset, storedDecision);
  const escalations = await handOvers(io, said.account, flags);
  const decidedSilence = { event, decision: storedDecision, ruleset, verdicts, escalations };
  return visible(silenceInWords({ ...knownFacts, decided: decidedSilence }));
}

/** Reads the hand-overs of an account. */
async function handOvers(
  io: Io,
  account: string,
  flags: SettingsFlags,
): Promise<Answers["escalations"]> {
  const folder = dataFolder(await settingsFor(io, flags));
  return (await callRuntime(folder, "escalations", { account, limit: 1_000 })) ?? [];
}
