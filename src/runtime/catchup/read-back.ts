import type { Client } from "../../client/client.ts";
import {
  PlatformError,
  ProtocolError,
  RateLimitError,
  UnreachableError,
} from "../../client/errors.ts";
import { messageDelivery } from "../../events/read/message.ts";
import { MESSAGE_SELECTION, POST_SELECTION } from "../../events/read/objects.ts";
import { postDelivery } from "../../events/read/post.ts";
import type { AccountEvent } from "../../events/event.ts";
import { translate } from "../../events/translate.ts";
import { messageOf } from "../../system/error-message.ts";
import { type Span, without } from "../../system/spans.ts";
import type { Clock } from "../clock/clock.ts";
import type { Gap } from "./plan.ts";
import { until } from "../clock/until.ts";

/** Appends a delivery's events to the journal. Resolves with the number of new events, once they are on disk. */
export type AppendBackfill = (delivery: object, raw: string) => Promise<number>;

export interface ReadBackNeeds {
  /** Returns the client of an account; undefined if the account is not linked or its authorization was revoked. */
  readonly clientOf: (account: string) => Pick<Client<"oauth1">, "dms" | "timelines"> | undefined;
  readonly append: AppendBackfill;
  /** Called with the events of a gap before the first of them is appended. */
  readonly onFound: (events: readonly AccountEvent[]) => Promise<void>;
  /** Returns the stretches whose events are dropped: the account was not linked. Absent: there are none. */
  readonly excluded?: () => Promise<readonly Span[]>;
  readonly clock: Clock;
  /** Called when the reading will take long, because the platform is unreachable or a rate limit applies. */
  readonly onHeldUp: () => void;
  /** Called when a rate limit applies, besides {@link ReadBackNeeds.onHeldUp}. */
  readonly onLimited?: () => void;
  /** Aborts the reading. */
  readonly signal: AbortSignal;
}

/** Result of reading a gap. */
export interface ReadBack {
  /** Number of new events. */
  readonly fresh: number;
  /** Reasons why messages or mentions could not be read, by kind (`messages`, `mentions`). */
  readonly refused: Readonly<Record<string, string>>;
  /** Whether the platform refused a request, so that a later reading may find more. */
  readonly isRefused?: true;
}

/** Reads one kind of event page by page, newest first. */
interface Reader {
  readonly name: string;
  read(token: string | undefined): Promise<ReadPage>;
}

interface ReadPage {
  readonly deliveries: readonly object[];
  /** Time of the last, and therefore oldest, item of the page. */
  readonly reaches: number;
  readonly next: string | undefined;
}

/**
 * Reads the messages and mentions of a gap, and appends them to the journal in the order in which they happened. Events
 * that the webhook or a replay also delivers have the same key and are stored once.
 *
 * Waits while a rate limit applies or the platform is unreachable, until `signal` is aborted.
 *
 * @returns `undefined` if the account has no usable client at present.
 */
export async function readBack(gap: Gap, needs: ReadBackNeeds): Promise<ReadBack | undefined> {
  const client = needs.clientOf(gap.account);
  if (client === undefined) return undefined;
  const allDeliveries: object[] = [];
  const refused: Record<string, string> = {};
  const refusal: { isRefused?: true } = {};
  const readAll = async (reader: Reader): Promise<void> => {
    const { deliveries, missing, isRefused } = await readWhole(reader, gap, needs);
    allDeliveries.push(...deliveries);
    if (isRefused === true) refusal.isRefused = true;
    if (missing !== undefined) refused[reader.name] = missing;
  };
  await Promise.all([messagesOf(client, gap, needs), mentionsOf(client, gap, needs)].map(readAll));
  return { fresh: await appendInOrder(allDeliveries, gap, needs), refused, ...refusal };
}

function messagesOf(
  { dms }: Pick<Client<"oauth1">, "dms">,
  { account }: Gap,
  { signal }: ReadBackNeeds,
): Reader {
  return {
    name: "messages",
    async read(paginationToken) {
      const params = { ...MESSAGE_SELECTION, maxResults: PAGE, paginationToken };
      const { data, includes, meta } = await dms.events(params, { signal, retry: false });
      return {
        deliveries: data.map((one) => messageDelivery(account, one, includes)).filter(isMade),
        reaches: Date.parse(data.at(-1)?.created_at ?? ""),
        next: meta.next_token,
      };
    },
  };
}

function mentionsOf(
  { timelines }: Pick<Client<"oauth1">, "timelines">,
  { account, from }: Gap,
  { signal }: ReadBackNeeds,
): Reader {
  return {
    name: "mentions",
    async read(paginationToken) {
      const page = { maxResults: PAGE, startTime: new Date(from), paginationToken };
      const params = { ...POST_SELECTION, ...page };
      const { data, includes, meta } = await timelines.mentions(account, params, {
        signal,
        retry: false,
      });
      return {
        deliveries: data.map((one) => postDelivery(account, one, includes)).filter(isMade),
        reaches: Date.parse(data.at(-1)?.created_at ?? ""),
        next: meta.next_token,
      };
    },
  };
}

/**
 * Reads pages back to the start of the gap, or up to the limit of pages or a refusal, such as a used-up post cap.
 * `missing` is the reason if older pages were not read.
 */
async function readWhole(
  reader: Reader,
  { from }: Gap,
  needs: ReadBackNeeds,
): Promise<{
  readonly deliveries: readonly object[];
  readonly missing?: string;
  readonly isRefused?: true;
}> {
  const deliveries: object[] = [];
  try {
    for (let token: string | undefined, pages = 1; pages <= MAX_PAGES; pages += 1) {
      const page = await patiently(() => reader.read(token), needs);
      deliveries.push(...page.deliveries);
      token = page.next;
      // An empty page, whose time is NaN, may have a next page: the platform omits items of suspended people, for example.
      if (token === undefined || page.reaches < from) return { deliveries };
    }
    return { deliveries, missing: `there are more than ${MAX_PAGES * PAGE}` };
  } catch (error) {
    if (needs.signal.aborted || !isRefusal(error)) throw error;
    return { deliveries, missing: messageOf(error), isRefused: true };
  }
}

/** Retries a read after a rate limit or while the platform is unreachable. */
async function patiently<T>(read: () => Promise<T>, needs: ReadBackNeeds): Promise<T> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await read();
    } catch (error) {
      if (needs.signal.aborted || isRefusal(error)) throw error;
      const now = needs.clock.now();
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failed - 1));
      const reset = error instanceof RateLimitError ? error.resetAt : undefined;
      if (reset !== undefined) needs.onLimited?.();
      if (failed >= TRIES_BEFORE_HELD_UP || reset !== undefined) needs.onHeldUp();
      await until(Math.max(now + pause, reset ?? 0), needs.clock, needs.signal);
      needs.signal.throwIfAborted();
    }
  }
}

/**
 * Whether the platform refuses this read, so that a retry would not help. A used-up monthly post cap counts as a
 * refusal, too.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof UnreachableError) return false;
  // A body that is not JSON is the page of a proxy.
  if (error instanceof ProtocolError && error.cause instanceof SyntaxError) return false;
  if (!(error instanceof PlatformError)) return true;
  if (error.status === 429) return !error.retryable;
  return error.status < 500 && error.status !== 408 && !error.isFromProxy;
}

/**
 * Appends the events to the journal, oldest first in each lane. Lanes run concurrently, so that several appends share
 * one sync of the disk.
 */
async function appendInOrder(
  deliveries: readonly object[],
  { from, to }: Gap,
  { append, clock, onFound, excluded }: ReadBackNeeds,
): Promise<number> {
  // Queried after the reading, because the account may have been unlinked meanwhile.
  const wanted = without({ from, to }, (await excluded?.()) ?? []);
  const events = deliveries
    .flatMap((delivery) => translate(delivery, clock.now()))
    .filter(({ event: { at } }) => wanted.some((span) => at >= span.from && at < span.to))
    .toSorted((a, b) => a.event.at - b.event.at || byLength(a.event.key, b.event.key));
  await onFound(events.map(({ event }) => event));
  const before = new Map<string, Promise<number>>();
  for (const { event, body } of events) {
    const done = before.get(event.lane) ?? Promise.resolve(0);
    const next = done.then(async (sum) => sum + (await append(body, JSON.stringify(body))));
    before.set(event.lane, next);
  }
  return (await Promise.all(before.values())).reduce((sum, fresh) => sum + fresh, 0);
}

function isMade<T>(delivery: T | undefined): delivery is T {
  return delivery !== undefined;
}

/**
 * Compares two keys by age. Ids rise with time, so of two simultaneous events the one with the smaller id came first.
 */
function byLength(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : 1);
}

const PAGE = 100;
/** Maximum number of pages, which contain 10,000 messages of a gap. Older messages would be too late to answer. */
const MAX_PAGES = 100;
const TRIES_BEFORE_HELD_UP = 4;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 60_000;
