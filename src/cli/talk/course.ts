import { isAnswering } from "../../actions/answering.ts";
import type { RuntimeConnection } from "../../runtime/control/call.ts";
import type { Answers } from "../../runtime/control/contract.ts";
import { pause } from "../../runtime/loop/pause.ts";
import { isSettled } from "../../runtime/store/item.ts";
import { runIdParts } from "../../runtime/store/run.ts";
import type { SaidToBot } from "./speaker.ts";

export type JournalLine = Answers["journal"][number];
export type Run = JournalLine["runs"][number];
export type OutboxLine = Answers["outbox"][number];

/** What the bot made so far of something that was said to it. */
export interface TalkCourse {
  /** Absent: the bot does not run. */
  readonly status?: Answers["status"];
  /** Absent: it has not heard of it. */
  readonly entry?: JournalLine;
  /** The runs that it started, and the one that took it as an answer. */
  readonly runs: readonly Run[];
  /** What those want to do on the platform, or have done. */
  readonly items: readonly OutboxLine[];
}

/** Until when a course is looked at. */
export interface Looking {
  readonly runtime: RuntimeConnection;
  /** The newest entry of the journal before it was said. */
  readonly after: number;
  /** Answers that have been shown, by the platform's id. */
  readonly shown: ReadonlySet<string>;
  /** When nothing is waited for any more, by the machine's clock. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Resolves with the next answer that is shown: there may be nothing more to come. */
  readonly answered?: () => Promise<void>;
}

/** A bot mostly answers at once; who takes longer is not asked as often. */
const FIRST_LOOK_MS = 10;
const LOOK_EVERY_MS = 80;
/** Time in which a bot whose process ended is started again: a busy machine takes some seconds. */
const BACK_WITHIN_MS = 10_000;
/** What is sent shows on the platform within this time. */
const SHOWS_WITHIN_MS = 1_000;

/** Looks until no run of it works and nothing that it wants to say is on its way, or the time is over. */
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
    const left = deadline - Date.now();
    if (isQuiet(course, left)) {
      quietSince ??= Date.now();
      const unseen = answersOf(course).some(({ platformId }) => !shown.has(platformId ?? ""));
      if (!unseen || Date.now() - quietSince > SHOWS_WITHIN_MS) return course;
    }
    if (left <= 0) return course;
    await Promise.race([pause(Math.min(lookAgainMs, left), signal), next]);
    lookAgainMs = Math.min(lookAgainMs * 2, LOOK_EVERY_MS);
  }
}

/** What has been sent as an answer. */
export function answersOf({ items }: TalkCourse): readonly OutboxLine[] {
  return items.filter(({ status, action, platformId }) => {
    return status === "sent" && platformId !== undefined && isAnswering(action.type);
  });
}

/** Nothing comes of it however long one waits. */
function isPaused({ status }: TalkCourse, { account }: SaidToBot): boolean {
  return status !== undefined && pauseOf(status, account) !== undefined;
}

/** The pause that an account is in. */
export function pauseOf({ paused }: Answers["status"], account: string) {
  return paused.find((pause) => pause.account === undefined || pause.account === account);
}

/** @param left Milliseconds that are waited for what has a time. */
function isQuiet({ status, entry, runs, items }: TalkCourse, left: number): boolean {
  if (status === undefined || entry === undefined || entry.state === "open") return false;
  const until = Date.parse(status.now) + left;
  const waiting = items.filter((item) => !isSettled(item.status) && !isOnItsWay(item, until));
  if (items.some((item) => isOnItsWay(item, until))) return false;
  const stuck = new Set(waiting.map(({ key }) => key));
  return !runs.some((run) => works(run, until, stuck));
}

/**
 * Whether something is still to come of a run before a time.
 *
 * @param stuck Keys of items that are not sent by then.
 */
function works(
  { status, waitsFor = "", waitsUntil, listens }: Run,
  until: number,
  stuck: ReadonlySet<string>,
): boolean {
  if (status === "ready") return true;
  if (status !== "waiting") return false;
  // without a time it waits for an item to be sent, and then goes on
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
  // what the run did before it took this is no answer to this
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

/** The run that took the event as an answer to its question. */
function takenBy({ decision = "{}" }: JournalLine): string | undefined {
  const kept: { readonly takenBy?: string } = JSON.parse(decision);
  return kept.takenBy;
}
