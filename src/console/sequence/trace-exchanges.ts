import type { ControlClient } from "../../sandbox/control/client.ts";
import type { ExchangeHead } from "../../sandbox/control/objects.ts";
import type { Trace } from "../../insight/traces/trace.ts";

/** HTTP exchanges of a trace that the sandbox still stores. */
export interface TraceExchanges {
  /** Exchanges that contain the id or time of the event: its deliveries, and requests about it. */
  readonly event: readonly ExchangeHead[];
  /** Exchanges that contain the platform's id of a sent message or post, by that id. */
  readonly written: ReadonlyMap<string, readonly ExchangeHead[]>;
  /** Write requests of the account between the decision about the event and the last sent item. */
  readonly requests: readonly ExchangeHead[];
}

/** Empty exchanges, for a trace without a sandbox. */
export const NO_EXCHANGES: TraceExchanges = { event: [], written: new Map(), requests: [] };

/** Maximum number of exchanges that the sandbox stores. */
const ALL = 1_000;
/** Tolerance in milliseconds: a request may be recorded slightly before or after its item. */
const NEAR_MS = 50;

/** Reads the HTTP exchanges of a trace from the sandbox. Each list is sorted oldest first. */
export async function exchangesOf(trace: Trace, control: ControlClient): Promise<TraceExchanges> {
  const about = (text: string): Promise<readonly ExchangeHead[]> =>
    control.exchanges({ about: text, limit: ALL });
  const ref = refOf(trace.event.key);
  const ids = [...new Set(trace.items.flatMap(({ platformId }) => platformId ?? []))];
  const [event, all, ...written] = await Promise.all([
    ref === undefined ? [] : about(ref),
    trace.items.length === 0 ? [] : control.exchanges({ limit: ALL }),
    ...ids.map(about),
  ]);
  const from = (trace.times.decided ?? trace.times.arrived) - NEAR_MS;
  const to = Math.max(...trace.items.map(({ settledAt = Infinity }) => settledAt)) + NEAR_MS;
  const isOwn = ({ direction, method, user_id: user, at }: ExchangeHead): boolean =>
    direction === "request" &&
    method !== "GET" &&
    user === trace.event.account.id &&
    Date.parse(at) >= from &&
    Date.parse(at) <= to;
  return {
    event,
    written: new Map(ids.map((id, index) => [id, written[index] ?? []])),
    requests: all.filter(isOwn),
  };
}

/**
 * Returns all exchanges without duplicates, oldest first.
 *
 * @param tries Further exchanges, such as failed attempts to send.
 */
export function eachOnce({ event, written }: TraceExchanges, tries: readonly ExchangeHead[]) {
  const all = [...event, ...[...written.values()].flat(), ...tries];
  const bySeq = new Map(all.map((one) => [one.seq, one]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

/**
 * Returns a text that identifies an event in its delivery: the id of a post, message or like, or the time of a follow,
 * typing or reading. Undefined for events that the bot itself created.
 */
export function refOf(key: string): string | undefined {
  const [, id] = /^(?:message|post|post_deleted|like):(.+)$/.exec(key) ?? [];
  const [, time] =
    /^(?:follow|unfollow|block|unblock|mute|unmute|typing|read|revoked):.*?\D(\d{13})\b/.exec(
      key,
    ) ?? [];
  return id ?? time;
}
