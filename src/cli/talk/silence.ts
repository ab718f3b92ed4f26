import { describeAction } from "../../actions/actions.ts";
import { isAnswering } from "../../actions/answering.ts";
import { keptRun, ruleOf, waitsOf } from "../../rehearsal/kept-run.ts";
import { verdictInWords } from "../../rehearsal/verdict-in-words.ts";
import type { Verdict, VerdictReason } from "../../rules/decide/decision.ts";
import { durationText } from "../../runtime/catchup/duration-text.ts";
import { DRY_RUN } from "../../runtime/outbox/dry-run.ts";
import { HELD_QUIET } from "../../runtime/store/item.ts";
import { formatTime } from "../output/format-time.ts";
import type { KeptVerdicts } from "../../traces/decided.ts";
import {
  answersOf,
  type TalkCourse,
  type JournalLine,
  type OutboxLine,
  pauseOf,
  type Run,
} from "./course.ts";
import type { SaidToBot } from "./speaker.ts";
import { shell } from "../../text/shell.ts";

/** What is known of something that the bot did not answer. */
export interface TalkSilence {
  readonly said: SaidToBot;
  readonly course: TalkCourse;
  /** Handle of the bot, without `@`. */
  readonly bot: string;
  readonly waitedMs: number;
  /** What the rules said, and what is kept of that; absent where nothing is decided. */
  readonly decided?: Pick<KeptVerdicts, "undecided"> & { readonly verdicts: readonly Verdict[] };
}

/** Why there is no answer, in one sentence without a full stop. Pure. */
export function silenceInWords(silence: TalkSilence): string {
  const { said, course, bot } = silence;
  const { status, entry, runs, items } = course;
  if (status === undefined) return "the bot does not run; start it with: answerback dev";
  const paused = pauseOf(status, said.account);
  if (paused !== undefined) {
    return `@${bot} is paused since ${formatTime(paused.since)}; let it go on with: answerback resume`;
  }
  if (entry === undefined) return unheardOf(silence);
  if (entry.state === "open") {
    return `the bot has not decided on it within ${durationText(silence.waitedMs)}; see answerback status`;
  }
  const now = Date.parse(status.now);
  return (
    items.map((item) => itemInWords(item, now)).find((text) => text !== undefined) ??
    runs.map((run) => runInWords(run, now)).find((text) => text !== undefined) ??
    decisionInWords(silence, entry, now)
  );
}

function unheardOf({ said, course: { status }, bot, waitedMs }: TalkSilence): string {
  const account = status?.accounts.find(({ id }) => id === said.account);
  if (account?.subscribed === false) {
    const reason = account.reason === undefined ? "" : ` (${account.reason})`;
    return `@${bot} is not subscribed${reason}, so it hears nothing; see answerback doctor`;
  }
  const { trouble } = status?.webhook ?? {};
  if (trouble !== undefined) return `the bot hears nothing: ${trouble}; see answerback doctor`;
  const within = `the bot has not heard of it within ${durationText(waitedMs)}`;
  if (said.kind === "post") return `${within}; a post reaches it where it mentions @${bot}`;
  if (said.kind === "follow") return `${within}; who follows it already does not follow it anew`;
  return `${within}; see answerback doctor`;
}

/** What keeps an answer from arriving; undefined where nothing does, or it is none. */
function itemInWords(
  { id, status, action, reason, notBefore, expiresAt }: OutboxLine,
  now: number,
): string | undefined {
  if (!isAnswering(action.type)) return undefined;
  const see = `see ${shell`answerback outbox show ${id}`}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  switch (status) {
    case "held":
      return reason === HELD_QUIET
        ? `the answer is held back in quiet hours until ${timeInWords(notBefore, now)}; ${see}`
        : `the answer is held back${why}; ${see}`;
    case "pending":
      return `the answer waits to be sent until ${timeInWords(notBefore, now)}${why}; ${see}`;
    case "sending":
      return `the answer is on its way and not taken yet; ${see}`;
    case "unknown":
      return `nobody knows whether the answer arrived${why}; ${see}`;
    case "failed":
      return `the answer was not sent${why}; ${see}`;
    case "expired":
      return `the answer was given up${expiresAt === undefined ? "" : ` at ${formatTime(expiresAt)}`}${why}; ${see}`;
    case "sent":
      return reason === DRY_RUN
        ? `the bot runs with --dry-run and would have sent: ${describeAction(action)}`
        : undefined;
  }
}

/** What a run is at that has not come to its end, or not to a good one; undefined for the others. */
function runInWords(run: Run, now: number): string | undefined {
  const name = run.owner.replace(":", " ");
  const see = `see ${shell`answerback trace ${run.id}`}`;
  switch (run.status) {
    case "failed":
      return `${name} failed: ${endOf(run)}; ${see}`;
    case "stopped":
      return `${name} stopped: ${endOf(run)}; ${see}`;
    case "ready":
      return `${name} is still at work; ${see}`;
    case "waiting": {
      const until =
        run.waitsUntil === undefined ? "" : ` until ${timeInWords(run.waitsUntil, now)}`;
      return `${name} ${waitInWords(run)}${until}; ${see}`;
    }
    case "done":
      return undefined;
  }
}

function endOf(run: Run): string {
  const { ended, error }: { readonly ended?: { reason: string }; readonly error?: unknown } =
    JSON.parse(run.body);
  return ended?.reason ?? (typeof error === "string" ? error : JSON.stringify(error ?? "unknown"));
}

function waitInWords(run: Run): string {
  if (ruleOf(run) === undefined) {
    const [wait] = waitsOf(run);
    return wait === undefined ? "waits" : `waits at ${wait.kind} "${wait.name}"`;
  }
  if (run.listens === true) return "waits for what the person says or does next,";
  if (run.waitsFor?.includes("/turn") === true) return "waits for an earlier run to end,";
  const [block, index] = keptRun(run).position ?? [];
  return block === undefined ? "waits" : `waits at ${String(block)}[${String(index)}]`;
}

/** Rules that would have answered come first. */
const MOST_TELLING: readonly VerdictReason[] = [
  "paused",
  "cooldown",
  "limit",
  "queue-full",
  "too-many-running",
  "already-running",
  "replayed",
  "too-old",
  "not-active",
  "stage-shadow",
  "stage-draft",
  "expression-error",
];

function decisionInWords(
  { decided, course, bot }: TalkSilence,
  { seq }: JournalLine,
  now: number,
): string {
  const see = `see ${shell`answerback why ${seq}`}`;
  if (decided === undefined) return `no rule answered; ${see}`;
  if (decided.undecided !== undefined) return `${decided.undecided}; ${see}`;
  const { runs } = course;
  const done = runs.find((run) => ruleOf(run) !== undefined);
  if (done !== undefined) return doneInWords(done, course, bot);
  if (decided.verdicts.length === 0 && runs.length === 0) {
    return `no rule or bot listens to it; ${see}`;
  }
  const [run] = runs;
  const ofBot = run === undefined ? "" : `, and ${doneInWords(run, course, bot)}`;
  return `${ruleSilence(decided.verdicts, now)}${ofBot === "" ? `; ${see}` : ofBot}`;
}

/** Why no rule ran: what would have answered but for one thing comes before what does not match. */
function ruleSilence(verdicts: readonly Verdict[], now: number): string {
  const [first] = MOST_TELLING.flatMap((reason) => {
    return verdicts.filter((one) => one.reason === reason);
  });
  return first === undefined ? "no rule matched" : keptBack(first, now);
}

function doneInWords(run: Run, course: TalkCourse, bot: string): string {
  const name = run.owner.replace(":", " ");
  const see = `see ${shell`answerback trace ${run.id}`}`;
  if (answersOf(course).length > 0) return `@${bot} answered elsewhere; ${see}`;
  const did = course.items.map(({ action }) => describeAction(action));
  if (did.length > 0) return `${name} ran and sent no answer, but: ${did.join("; ")}; ${see}`;
  return `${name} ran and said nothing; ${see}`;
}

function keptBack(verdict: Verdict, now: number): string {
  const { ruleId, reason, clause, until } = verdict;
  if (reason === "cooldown" && until !== undefined) {
    return `rule ${ruleId} is cooling down for ${durationText(until - now)}`;
  }
  if (reason === "paused") {
    return `the bot is silent here by ${String(clause?.actual)}, until a person has resolved it`;
  }
  return `rule ${verdictInWords(verdict)}`;
}

/** `2026-11-22T07:00:00Z (8 h 12 min)`. */
function timeInWords(at: number, now: number): string {
  return at <= now ? formatTime(at) : `${formatTime(at)} (${durationText(at - now)})`;
}
