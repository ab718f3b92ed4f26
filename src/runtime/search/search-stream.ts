import { POST_SELECTION, type ReadIncludes, type ReadPost } from "../../events/read/objects.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { backOffMs } from "../loop/back-off.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { PositionMemory } from "./positions.ts";
import { type StreamClient, type SyncedRules, syncRules } from "./stream-rules.ts";

/**
 * Setting `search`. `recent`: reads posts by recent search. `stream`: reads them by the app's filtered stream where
 * possible. `auto`: as `stream`, but by recent search while other programs have rules on the stream.
 */
export type SearchWay = "auto" | "stream" | "recent";

/** Post of the filtered stream, with the queries that it matches. */
export interface StreamedFind {
  readonly post: ReadPost;
  readonly includes: ReadIncludes | undefined;
  readonly queries: readonly string[];
}

export interface SearchStreamNeeds {
  readonly way: SearchWay;
  readonly app: StreamClient;
  /** Stores the tag of the bot's rules on the stream. */
  readonly memory: PositionMemory;
  /** Called with each post. The next post is read once the promise has resolved. */
  readonly onPost: (find: StreamedFind) => Promise<void>;
  /** Called when the stream begins or ceases to bring the posts of a query. */
  readonly onChange: () => void;
  /** Returns a random number, evenly distributed in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

/** State of the filtered stream. */
export interface StreamStatus {
  readonly isUsed: boolean;
  /** Reason why the stream is or is not used, for people. */
  readonly why: string;
}

/** Name of the store's value with the tag of the bot's rules on the stream; empty while the stream has no such rule. */
const TAG = "search-stream-tag";
const TAG_PREFIX = "answerback:";
/**
 * Fields and expansions of streamed posts. They lack `connection_status`: the app reads the stream, so a post can't
 * show whether an account has blocked its author.
 */
const SELECTION = {
  ...POST_SELECTION,
  userFields: POST_SELECTION.userFields.filter((field) => field !== "connection_status"),
} as const;
/**
 * Milliseconds between two comparisons of the stream's rules with the queries, and before a refused stream is tried
 * again.
 */
const CHECK_MS = 15 * 60_000;
/** Milliseconds before a new connection replaces a connection that the client no longer repairs itself. */
const RESTART_MS = 1_000;
/** Back-off after a failed comparison of the rules. */
const FAILING = { leastMs: 5_000, baseMs: 10_000, mostMs: CHECK_MS };
const NOT_YET = "the filtered stream does not have its rule yet";
const IDLE_MS = 2 ** 31 - 1;
const NONE: SyncedRules = { queries: new Map(), refused: new Map(), foreign: 0 };

/** Reads the posts of queries from the app's filtered stream. Owns the rules on the stream that have the bot's tag. */
export class SearchStream {
  readonly #needs: SearchStreamNeeds;
  readonly #loop = pacedLoop(() => this.#turn());
  #wanted: readonly string[] | undefined;
  #rules = NONE;
  #following: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  #isLive = false;
  #why = "the stream is not connected yet";
  /** Monotonic time of the next comparison of the rules. */
  #checkAt = 0;
  /** Number of comparisons that failed in a row. */
  #failed = 0;
  /** Number of connections and rule changes so far. A connection or rule change is identified by its number. */
  #number = 0;
  /** Number of the connection or rule change since which the stream has brought the posts of a query, by query. */
  readonly #since = new Map<string, number>();

  constructor(needs: SearchStreamNeeds) {
    this.#needs = needs;
  }

  /** Sets the queries whose posts the stream should bring. */
  want(queries: readonly string[]): void {
    const sorted = [...new Set(queries)].sort();
    if (sorted.join("\n") === this.#wanted?.join("\n")) return;
    this.#wanted = sorted;
    this.#checkAt = 0;
    this.#loop.wake();
  }

  /**
   * Returns the number of the connection or rule change since which the stream has brought the posts of a query;
   * undefined while it does not bring them.
   */
  streamedSince(query: string): number | undefined {
    return this.#isLive ? this.#since.get(query) : undefined;
  }

  /** Returns the reason why recent search reads a query; undefined if the stream brings its posts. */
  whyNot(query: string): string | undefined {
    if (this.streamedSince(query) !== undefined) return undefined;
    return this.#rules.refused.get(query) ?? (this.#isLive ? NOT_YET : this.#why);
  }

  status(): StreamStatus {
    return { isUsed: this.#isLive, why: this.#why };
  }

  async stop(): Promise<void> {
    await this.#disconnect();
    await this.#loop.stop();
    await this.#disconnect();
  }

  async #turn(): Promise<number> {
    const untilCheck = this.#checkAt - performance.now();
    if (untilCheck > 0) return untilCheck;
    this.#checkAt = performance.now() + CHECK_MS;
    try {
      const waitMs = await this.#compare();
      this.#failed = 0;
      return waitMs;
    } catch (error) {
      this.#failed += 1;
      const retryMs = backOffMs(FAILING, this.#failed, this.#needs.random());
      this.#checkAt = performance.now() + retryMs;
      if (this.#following === undefined) this.#say(messageOf(error));
      return retryMs;
    }
  }

  /**
   * Compares the rules on the stream with the wanted queries, corrects the rules, and connects or disconnects. Returns
   * the milliseconds until the next comparison.
   */
  async #compare(): Promise<number> {
    const { way, app } = this.#needs;
    const queriesWanted = this.#wanted ?? [];
    if (way === "recent" || queriesWanted.length === 0) {
      await this.#disconnect();
      this.#say(way === "recent" ? "the setting search is recent" : "no rule searches");
      await this.#removeRules();
      return IDLE_MS;
    }
    const tag = await this.#tag();
    const needed = { tag, queries: queriesWanted, onlyAlone: way === "auto" };
    this.#rules = await syncRules(app, needed);
    const { queries, foreign } = this.#rules;
    this.#number += 1;
    const onStream = new Set(queries.values());
    for (const query of this.#since.keys()) if (!onStream.has(query)) this.#since.delete(query);
    for (const query of onStream) {
      if (!this.#since.has(query)) this.#since.set(query, this.#number);
    }
    if (queries.size > 0) {
      if (this.#following === undefined) this.#follow();
      else this.#needs.onChange();
      return CHECK_MS;
    }
    await this.#disconnect();
    this.#say(
      way === "auto" && foreign > 0
        ? "other programs have rules on the app's filtered stream, and the setting search is auto"
        : "the filtered stream accepts none of the queries",
    );
    return CHECK_MS;
  }

  /** Loads the tag of the bot's rules, or stores a new one. */
  async #tag(): Promise<string> {
    const { memory, random } = this.#needs;
    const stored = await memory.getMeta(TAG);
    if (stored !== undefined && stored !== "") return stored;
    const tag = TAG_PREFIX + Math.floor(random() * 2 ** 48).toString(36);
    await memory.setMeta(TAG, tag);
    return tag;
  }

  /** Removes the bot's rules from the stream, if it has some. */
  async #removeRules(): Promise<void> {
    const { memory, app } = this.#needs;
    this.#rules = NONE;
    this.#since.clear();
    const tag = await memory.getMeta(TAG);
    if (tag === undefined || tag === "") return;
    await syncRules(app, { tag, queries: [], onlyAlone: false });
    await memory.setMeta(TAG, "");
  }

  #follow(): void {
    const abort = new AbortController();
    this.#following = { abort, ended: this.#read(abort.signal) };
  }

  /** Reads posts from the stream, also after reconnects, until the platform refuses it or `signal` is aborted. */
  async #read(signal: AbortSignal): Promise<void> {
    const { app, onPost, log } = this.#needs;
    let hasConnected = false;
    const onConnect = (): void => {
      hasConnected = true;
      this.#connected();
    };
    try {
      const posts = app.filteredStream.posts({
        ...SELECTION,
        // The client need not search for posts missed between connections: recent search reads them from the stored
        // positions.
        searchGaps: false,
        signal,
        onConnect,
        onDisconnect: ({ why }) => this.#broken(why),
      });
      for await (const { data, includes, matching_rules: rules } of posts) {
        const queries = rules.flatMap(({ id }) => this.#rules.queries.get(id) ?? []);
        if (queries.length > 0) await onPost({ post: data, includes, queries });
      }
    } catch (error) {
      log.debug({ err: error }, "the filtered stream ended");
      this.#broken(messageOf(error));
    }
    if (signal.aborted) return;
    this.#following = undefined;
    // A plan without backfill refuses a reconnect that requests backfill. The new call of `posts` does not request it.
    this.#checkAt = performance.now() + (hasConnected ? RESTART_MS : CHECK_MS);
    this.#loop.wake();
  }

  #connected(): void {
    this.#isLive = true;
    this.#number += 1;
    for (const query of this.#since.keys()) this.#since.set(query, this.#number);
    this.#say("the filtered stream is connected");
    this.#needs.onChange();
  }

  #broken(why: string): void {
    const wasLive = this.#isLive;
    this.#isLive = false;
    this.#say(`the filtered stream is not connected: ${why}`);
    if (wasLive) this.#needs.onChange();
  }

  async #disconnect(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    const wasLive = this.#isLive;
    this.#isLive = false;
    following?.abort.abort();
    await following?.ended;
    if (wasLive) this.#needs.onChange();
  }

  /** Sets the reason that the status shows, and logs a new reason. */
  #say(why: string): void {
    if (this.#why === why) return;
    this.#why = why;
    const { way, log } = this.#needs;
    const level = way === "stream" && !this.#isLive ? "warn" : "info";
    log[level]({ why }, "filtered stream");
  }
}
