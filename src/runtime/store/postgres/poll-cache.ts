import type { Pause } from "../pause.ts";
import type { News } from "../presence.ts";
import type { LeaseEpoch } from "./leases.ts";
import type { StatementValues } from "./params.ts";

/** Results of all regular polls of a process, as one statement read them. */
export interface PollResults {
  /** Partitions that the process had leased. The other values are about these partitions or about the whole store. */
  readonly partitions: readonly number[];
  readonly hasInputs: boolean;
  /** Earliest due time of a timer. */
  readonly nextTimer: number | null;
  /** Whether an item waits that no other item of its lane precedes, due or not. */
  readonly hasReadyItems: boolean;
  /** Earliest time at which a waiting item expires. */
  readonly nextExpiry: number | null;
  readonly held: boolean;
  readonly unknown: boolean;
  readonly pauses: readonly Required<Pause>[];
  /** Values of `meta` that the process polls, by name. */
  readonly metas: Readonly<Record<string, string>>;
}

/**
 * Builds the SQL expression that reads {@link PollResults}, as JSON.
 *
 * @param holders Names under which the process holds leases.
 * @param metas Names of the values of `meta` to read.
 */
export function pollResultsSql(
  values: StatementValues,
  holders: readonly string[],
  metas: readonly string[],
): string {
  const own = `(SELECT partition FROM leases WHERE worker = ANY (${values.add(holders, "text[]")}))`;
  const first = (column: string, table: string, where = "true"): string =>
    `(SELECT min(f.at) FROM ${own} AS h CROSS JOIN LATERAL (
       SELECT ${column} AS at FROM ${table} AS x WHERE x.partition = h.partition AND ${where}
       ORDER BY ${column} LIMIT 1) AS f)`;
  const some = (table: string, where: string): string =>
    `EXISTS (SELECT 1 FROM ${own} AS h CROSS JOIN LATERAL (
       SELECT 1 FROM ${table} AS x WHERE x.partition = h.partition AND ${where} LIMIT 1) AS f)`;
  const isWaiting = "x.expires_at IS NOT NULL AND x.status IN ('pending', 'held')";
  return `json_build_object(
    'partitions', (SELECT coalesce(json_agg(partition), '[]') FROM ${own} AS h),
    'hasInputs', ${some("inputs", "NOT x.aside")},
    'nextTimer', ${first("due_at", "timers")},
    'hasReadyItems', ${some("open_items", "x.ready")},
    'nextExpiry', ${first("expires_at", "open_items", isWaiting)},
    'held', EXISTS (SELECT 1 FROM open_items WHERE status = 'held'),
    'unknown', EXISTS (SELECT 1 FROM open_items WHERE status = 'unknown'),
    'pauses', (SELECT coalesce(json_agg(p ORDER BY p.account), '[]') FROM (SELECT account, since FROM pauses) AS p),
    'metas', (SELECT coalesce(json_object_agg(name, value), '{}') FROM meta WHERE name = ANY (${values.add(metas, "text[]")})))`;
}

export interface PollCacheNeeds {
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
  /** Reads the results now. */
  readonly read: () => Promise<PollResults>;
  /** Whether a notification arrives when another process stores work for this one. */
  readonly isNotified: () => boolean;
}

/**
 * Answers the polls of an idle process without a statement for each.
 *
 * The heartbeat of the process reads the results of all polls, once a second. They are used until they are too old, or
 * until this process changes the store: a poll sees every change that this process has made before. While other processes
 * may store inputs and can't notify this one, the poll for inputs uses results up to {@link FRESH_MS} old.
 */
export class PollCache {
  readonly #needs: PollCacheNeeds;
  readonly #metas = new Set<string>();
  readonly #listeners = new Set<(news: News) => void>();
  #latest:
    | { readonly at: number; readonly text: string; readonly results: PollResults }
    | undefined;
  #changedAt = -Infinity;
  #reading: Promise<PollResults | undefined> | undefined;
  /** Whether no other process uses the store, as of the last heartbeat. */
  isAlone = true;

  constructor(needs: PollCacheNeeds) {
    this.#needs = needs;
  }

  /** Names of the values of `meta` that the results have to contain. */
  get metas(): readonly string[] {
    return [...this.#metas];
  }

  /** Calls `listener` when the results differ from the previous ones. Returns the function that unsubscribes. */
  onNews(listener: (news: News) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stores results. @param at Monotonic time before the statement that read them was sent. */
  put(results: PollResults, at: number): void {
    const text = JSON.stringify(results);
    const isNews = this.#latest?.text !== text;
    this.#latest = { at, text, results };
    if (isNews) this.#publish("anything");
  }

  /** Drops the results: this process has changed the store. */
  changed(): void {
    this.#changedAt = this.#needs.now();
  }

  /** Drops the results and calls the listeners: another process has stored work for this one. */
  notified(news: News): void {
    this.changed();
    this.#publish(news);
  }

  #publish(news: News): void {
    for (const listener of this.#listeners) listener(news);
  }

  /** Returns the latest results; undefined if they are too old for a poll that runs once a second. */
  current(): PollResults | undefined {
    return this.#notOlderThan(BEAT_MS);
  }

  #notOlderThan(maxAgeMs: number): PollResults | undefined {
    const latest = this.#latest;
    if (latest === undefined || latest.at <= this.#changedAt) return undefined;
    return this.#needs.now() - latest.at < maxAgeMs ? latest.results : undefined;
  }

  /**
   * Returns results for the poll for inputs, which must not be late. Reads them again first if they are too old and this
   * process is idle. A busy process gets undefined, because its poll will likely find inputs.
   */
  async forInputs(): Promise<PollResults | undefined> {
    const isTold = this.isAlone || this.#needs.isNotified();
    const current = this.#notOlderThan(isTold ? BEAT_MS : FRESH_MS);
    const isIdle = this.#needs.now() - this.#changedAt > BUSY_MS;
    if (current !== undefined || this.#latest === undefined || !isIdle) return current;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<PollResults | undefined> {
    const at = this.#needs.now();
    this.put(await this.#needs.read(), at);
    return this.current();
  }

  /** Returns a value of `meta` from the latest results; undefined if they don't contain it, and from the next ones on they do. */
  meta(name: string): { readonly value: string | undefined } | undefined {
    const isRead = this.#metas.has(name);
    this.#metas.add(name);
    const results = isRead ? this.current() : undefined;
    return results && { value: results.metas[name] };
  }
}

/** Whether no input and no timer is due in the leased partitions. */
export function isInboxEmpty(
  results: PollResults | undefined,
  leases: readonly LeaseEpoch[],
  now: number,
): boolean {
  if (results === undefined || results.hasInputs || !covers(results, leases)) return false;
  return results.nextTimer === null || results.nextTimer > now;
}

/** Whether the results are about all of the leased partitions. */
export function covers(
  results: PollResults | undefined,
  leases: readonly LeaseEpoch[],
): results is PollResults {
  return (
    results !== undefined && leases.every(({ partition }) => results.partitions.includes(partition))
  );
}

/** Maximum age of the results in milliseconds: a heartbeat and its delay. */
const BEAT_MS = 1_500;
/** Maximum age of the results in milliseconds, if an input may arrive unnoticed. Shorter than the interval of its poll. */
const FRESH_MS = 190;
/** Milliseconds after a change by this process during which its polls read the tables. */
const BUSY_MS = 1_000;
