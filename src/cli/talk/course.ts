import { isAnswering } from "../../actions/answering.ts";
import { isSettled, runIdParts } from "../../runtime/records.ts";
import type { Answers, RuntimeConnection } from "../../runtime/vocabulary.ts";
import { pause } from "../../system/time/pause.ts";
import type { SaidToBot } from "./speaker.ts";

export type JournalLine = Answers["journal"][number];
export type Run = JournalLine["runs"][number];
export type OutboxLine = Answers["outbox"][number];

/** State of a person's input: whether the bot has received it, and the runs and answers that it started. */
export interface TalkCourse {
  /** Status of the bot; absent if it does not run. */
  readonly status?: Answers["status"];
  /** Journal entry of the input's event; absent if the bot has not received it. */
  readonly entry?: JournalLine;
  /** The runs that the event started, and the earlier run that took the event as an answer to its question. */
  readonly runs: readonly Run[];
  /** Outbox items of the runs in `runs`. */
  readonly items: readonly OutboxLine[];
}

/** Connection and limits for following the bot's processing. */
export interface Looking {
  readonly runtime: RuntimeConnection;
  /** Number of the latest journal entry before the input. */
  readonly after: number;
  /** Platform ids of answers that have been shown to the user. */
  readonly shown: ReadonlySet<string>;
  /** End of the wait in milliseconds since the epoch, by this machine's clock. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Resolves when the next answer is shown. The next poll then starts at once, since the bot may have finished. */
  readonly answered?: () => Promise<void>;
}

/** Poll interval in milliseconds: short at first, since most bots answer at once, then doubled up to a limit. */
const FIRST_LOOK_MS = 10;
const LOOK_EVERY_MS = 80;
/**
 * Time in milliseconds for a bot to come back after its process ended. A restart takes some seconds on a busy machine.
 */
const BACK_WITHIN_MS = 10_000;
/** Time in milliseconds within which a sent item becomes visible on the platform. */
const SHOWS_WITHIN_MS = 1_000;

/** Polls until no run is working and no answer is being sent, or until the deadline. */
export async function untilQuiet(said: SaidToBot, looking: Looking): Promise<TalkCourse> {
  const { shown, signal, deadline, answered = () => new Promise<void>(() => {}) } = looking;
  let lookAgainMs = FIRST_LOOK_MS;
  let quietSince: number | undefined;
  let goneSince: number | undefined;
  for (;;) {
    const next = answered();
    const course = await courseOf(said, looking);
    if (signal.aborted || isPaused(course, said)) return course;
    goneSince = course.status === undefined ? (goneSince ?? Date.now()) : undefined;
    if (goneSince !== undefined && Date.now() - goneSince > BACK_WITHIN_MS) return course;
    const remainingMs = deadline - Date.now();
    if (isQuiet(course, remainingMs)) {
      quietSince ??= Date.now();
      const unseen = answersOf(course).some(({ platformId }) => !shown.has(platformId ?? ""));
      if (!unseen || Date.now() - quietSince > SHOWS_WITHIN_MS) return course;
    }
    if (remainingMs <= 0) return course;
    await Promise.race([pause(Math.min(lookAgainMs, remainingMs), signal), next]);
    lookAgainMs = Math.min(lookAgainMs * 2, LOOK_EVERY_MS);
  }
}

/** Returns the sent outbox items that are answers to a person. */
export function answersOf({ items }: TalkCourse): readonly OutboxLine[] {
  return items.filter(({ status, action, platformId }) => {
    return status === "sent" && platformId !== undefined && isAnswering(action.type);
  });
}

/** Whether the bot's account is paused, so that waiting for an answer is useless. */
function isPaused({ status }: TalkCourse, { account }: SaidToBot): boolean {
  return status !== undefined && pauseOf(status, account) !== undefined;
}

/** Returns the pause of an account, or of all accounts; undefined if there is none. */
export function pauseOf({ paused }: Answers["status"], account: string) {
  return paused.find((pause) => pause.account === undefined || pause.account === account);
}

/**
 * Whether the bot has finished with the input.
 *
 * @param remainingMs Remaining wait in milliseconds; runs that sleep longer count as finished.
 */
function isQuiet({ status, entry, runs, items }: TalkCourse, remainingMs: number): boolean {
  if (status === undefined || entry === undefined || entry.state === "open") return false;
  const until = Date.parse(status.now) + remainingMs;
  const waiting = items.filter((item) => !isSettled(item.status) && !isOnItsWay(item, until));
  if (items.some((item) => isOnItsWay(item, until))) return false;
  const stuck = new Set(waiting.map(({ key }) => key));
  return !runs.some((run) => works(run, until, stuck));
}

/**
 * Whether a run may still send or do something before the time `until`.
 *
 * @param stuck Keys of outbox items that will not be sent before `until`.
 */
function works(
  { status, waitsFor = "", waitsUntil, listens }: Run,
  until: number,
  stuck: ReadonlySet<string>,
): boolean {
  if (status === "ready") return true;
  if (status !== "waiting") return false;
  // a run without a wake-up time waits until an outbox item is sent
  if (waitsUntil === undefined) return !stuck.has(waitsFor);
  return listens !== true && waitsUntil <= until;
}

function isOnItsWay({ status, notBefore }: OutboxLine, until: number): boolean {
  if (status === "sending" || status === "unknown") return true;
  return status === "pending" && notBefore <= until;
}

async function courseOf(said: SaidToBot, { runtime, after }: Looking): Promise<TalkCourse> {
  const status = await runtime.call("status", {});
  if (status === undefined) return { runs: [], items: [] };
  const entry = await entryOf(said, runtime, after);
  if (entry === undefined) return { status, runs: [], items: [] };
  const took = takenBy(entry);
  const earlier = took === undefined ? undefined : await runOf(took, runtime);
  const runs = [...entry.runs, ...(earlier === undefined ? [] : [earlier])];
  const seqs = new Set([entry.seq, ...(earlier === undefined ? [] : [earlier.seq])]);
  const items = await Promise.all(
    [...seqs].map(async (seq) => (await runtime.call("outbox", { seq, limit: 200 })) ?? []),
  );
  // omits items that the earlier run (which had asked the person a question) queued before it got this answer
  const since = (item: OutboxLine): boolean =>
    item.seq === entry.seq || (item.run === took && (item.startedAt ?? Infinity) >= entry.at);
  return { status, entry, runs, items: items.flat().filter(since) };
}

async function entryOf(
  said: SaidToBot,
  runtime: RuntimeConnection,
  after: number,
): Promise<JournalLine | undefined> {
  const { account, person, keyBegins } = said;
  const lane = `${account}/${person}`;
  const entries = await runtime.call("journal", { account, lane, limit: 50 });
  return entries?.find(({ seq, key }) => seq > after && key.startsWith(keyBegins));
}

async function runOf(id: string, runtime: RuntimeConnection): Promise<Run | undefined> {
  const [seq] = runIdParts(id);
  const [entry] = (await runtime.call("journal", { seq, limit: 1 })) ?? [];
  return entry?.runs.find((run) => run.id === id);
}

/** Id of the earlier run that had asked a question and took this event as the answer. */
function takenBy({ decision = "{}" }: JournalLine): string | undefined {
  const storedDecision: { readonly takenBy?: string } = JSON.parse(decision);
  return storedDecision.takenBy;
}
