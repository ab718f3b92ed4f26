import type { AccountEvent } from "../../events/event.ts";
import type { Verdict } from "../../rules/decide.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { durationText } from "../../text/duration-text.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { shell } from "../../text/shell.ts";
import type { KeptVerdicts } from "../../insight/traces/decided.ts";
import { hindrancesOf } from "../../insight/traces/outcome/hindrances.ts";
import { outcomeOf } from "../../insight/traces/outcome/outcome.ts";
import { formatTime } from "../output/format-time.ts";
import { type TalkCourse, pauseOf } from "./course.ts";
import type { SaidToBot } from "./speaker.ts";

/** Known facts about an input that the bot has not answered. */
export interface TalkSilence {
  readonly said: SaidToBot;
  readonly course: TalkCourse;
  /** Handle of the bot, without `@`. */
  readonly bot: string;
  readonly waitedMs: number;
  /** The event's decision and the verdicts of the rules; absent if the event has not been decided. */
  readonly decided?: DecidedSilence;
}

/** A decided event, with the verdicts of the rules. */
export interface DecidedSilence {
  readonly event: AccountEvent;
  readonly decision: KeptVerdicts;
  readonly verdicts: readonly Verdict[];
  readonly ruleset: Ruleset;
  readonly escalations: Answers["escalations"];
}

/** Returns the reason why the bot has not answered, and the fix, as a sentence without a full stop. Pure. */
export function silenceInWords(silence: TalkSilence): string {
  const { said, course, bot, decided, waitedMs } = silence;
  const { status, entry, runs, items } = course;
  if (status === undefined) return "the bot does not run; start it with: answerback dev";
  const paused = pauseOf(status, said.account);
  if (paused !== undefined) {
    return `@${bot} is paused since ${formatTime(paused.since)}; let it go on with: answerback resume`;
  }
  if (entry === undefined) return unheardOf(silence);
  if (entry.state === "open" || decided === undefined) {
    return `the bot has not decided on it within ${durationText(waitedMs)}; see answerback status`;
  }
  const { word, reason, repair } = outcomeOf({
    row: { ...entry, runs },
    items,
    ...decided,
    listening: decided.ruleset.candidates(decided.event.triggers).length,
    now: Date.parse(status.now),
    hindrances: hindrancesOf(status),
  });
  if (word === "answered") {
    return `@${bot} answered elsewhere; see ${shell`answerback trace ${entry.seq}`}`;
  }
  return repair === undefined ? reason : `${reason}; ${repair.inWords}`;
}

function unheardOf({ said, course: { status }, bot, waitedMs }: TalkSilence): string {
  const account = status?.accounts.find(({ id }) => id === said.account);
  if (account?.subscribed === false) {
    const reason = account.reason === undefined ? "" : ` (${account.reason})`;
    return `@${bot} is not subscribed${reason}, so no events reach it; see answerback doctor`;
  }
  const { trouble } = status?.webhook ?? {};
  if (trouble !== undefined) return `no events reach the bot: ${trouble}; see answerback doctor`;
  const within = `not delivered within ${durationText(waitedMs)}`;
  if (said.kind === "post" || said.kind === "reply") {
    return `${within}: ${unheardPost({ bot, kind: said.kind }, status)}`;
  }
  if (said.kind === "follow")
    return `${within}: a person who follows @${bot} already causes no new event`;
  return `${within}; see answerback doctor`;
}

/** Returns the reason why the bot has not received a post or a reply. @param bot Handle, without `@`. */
export function unheardPost(
  { bot, kind }: { readonly bot: string; readonly kind: "post" | "reply" },
  { posts, searches = [] }: Pick<Answers["status"], "posts" | "searches"> = {},
): string {
  if (posts !== undefined && posts.used >= posts.cap) {
    return `the monthly post cap is reached, and no posts arrive until ${posts.resetsOn}`;
  }
  if (kind === "reply") return "see answerback doctor";
  const orSearched = searches.length > 0 ? ", or if the query of a rule finds it" : "";
  return `a post reaches the bot only if it mentions @${bot}${orSearched}`;
}
