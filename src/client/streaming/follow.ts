import { AnswerbackError } from "../../errors.ts";
import type { ClientClock } from "../clock.ts";
import { ProtocolError, UnreachableError } from "../errors.ts";
import { endingWith } from "../../system/ending.ts";
import type { StreamedAnswer } from "../http/streamed-answer.ts";
import { StreamBackoff } from "./backoff.ts";
import { Coverage, type Stretch } from "./coverage.ts";
import type { StreamBreak, StreamGap } from "./gap.ts";
import { SeenIds } from "./seen-ids.ts";
import { hasStalled } from "./stall-watch.ts";

/** Milliseconds for which ids are remembered to drop duplicates: longer than the longest backfill. */
const SEEN_MS = 10 * 60_000;

/** Parsed line of a stream: an item such as a post, or the platform's notice that it ends the stream. */
export type StreamLine<Item> =
  | { readonly kind: "item"; readonly item: Item; readonly id: string; readonly madeAt: number }
  /** The platform ends the stream; `again` is true if an immediate reconnect is allowed. */
  | {
      readonly kind: "ended";
      readonly why: string;
      readonly disconnectType?: string | undefined;
      readonly again: boolean;
    };

/** A stream of the platform: how to open and read it, and how to search for missed items. */
export interface StreamSource<Item> {
  /** Opens the stream. @throws AnswerbackError */
  open(
    backfillMinutes: number,
    signal: AbortSignal,
    onArrival: () => void,
  ): Promise<StreamedAnswer>;
  /** Reads one line of the stream. @throws ProtocolError */
  read(line: string): StreamLine<Item>;
  /** Finds the items created in a gap, oldest first. */
  search?(
    gap: Stretch,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly { id: string; item: Item }[]; readonly why?: string }>;
}

/** Options of following a stream. */
export interface FollowOptions {
  /** Clock with the platform's time as `now`, because a gap's end is compared with the creation times of items. */
  readonly clock: ClientClock;
  /** Signals that end the loop: the caller's signal, and the signal of the closing client. */
  readonly signals: readonly AbortSignal[];
  readonly backfillMinutes: number;
  readonly stallAfterMs: number;
  readonly onConnect?: (() => void) | undefined;
  readonly onDisconnect?: ((broken: StreamBreak) => void) | undefined;
  readonly onGap?: ((gap: StreamGap) => void) | undefined;
}

/**
 * Yields the items of a stream across reconnects, each item once.
 *
 * @throws AnswerbackError if a reconnect would fail the same way, such as for refused credentials.
 */
export async function* follow<Item>(
  source: StreamSource<Item>,
  { signals, ...options }: FollowOptions,
): AsyncGenerator<Item, void, undefined> {
  const ending = endingWith(signals);
  const { signal } = ending;
  const run = new Following(source, { ...options, signal });
  try {
    while (!signal.aborted) {
      const wait = yield* run.connection();
      if (wait === undefined || signal.aborted) return;
      if (wait > 0) await sleepOrEnd(options.clock, wait, signal);
    }
  } finally {
    ending.release();
  }
}

async function sleepOrEnd(clock: ClientClock, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type FollowingOptions = Omit<FollowOptions, "signals"> & { readonly signal: AbortSignal };

class Following<Item> {
  readonly #source: StreamSource<Item>;
  readonly #options: FollowingOptions;
  readonly #seen: SeenIds;
  /** Lines that could not be read. */
  readonly #unreadable: SeenIds;
  readonly #backoff = new StreamBackoff();
  readonly #coverage = new Coverage();
  #lastByteAt = 0;
  #first = true;
  #hookFailed = false;
  #holds = 0;
  #heldBackAt = -Infinity;

  constructor(source: StreamSource<Item>, options: FollowingOptions) {
    this.#source = source;
    this.#options = options;
    this.#seen = new SeenIds(() => options.clock.now(), SEEN_MS);
    this.#unreadable = new SeenIds(() => options.clock.now(), SEEN_MS);
  }

  /** Runs one connection. Returns the milliseconds to wait before the next connection; undefined ends the loop. */
  async *connection(): AsyncGenerator<Item, number | undefined, undefined> {
    const { clock, signal, backfillMinutes, onConnect } = this.#options;
    const minutes = this.#first ? backfillMinutes : this.#coverage.backfillMinutes(clock.now());
    let answer: StreamedAnswer;
    try {
      answer = await this.#source.open(minutes, signal, () => this.#arrived());
    } catch (error) {
      if (signal.aborted) return undefined;
      return this.#failed(error);
    }
    this.#first = false;
    this.#lastByteAt = clock.now();
    this.#holds = 0;
    this.#heldBackAt = -Infinity;
    const tooOld = this.#coverage.connected(clock.now(), minutes);
    try {
      onConnect?.();
      if (tooOld !== undefined) yield* this.#fill(tooOld);
      return yield* this.#read(answer);
    } finally {
      answer.close(new Error("the stream is over"));
    }
  }

  async *#read(answer: StreamedAnswer): AsyncGenerator<Item, number | undefined, undefined> {
    const { clock, signal, stallAfterMs } = this.#options;
    const over = new AbortController();
    const stalled = new Error(`nothing came for ${stallAfterMs} ms, not even that it is alive`);
    const watched = { lastByteAt: () => this.#lastByteAt, isHeldBack: () => answer.heldBack };
    void hasStalled(clock, watched, stallAfterMs, over.signal).then(
      (stall) => stall && answer.close(stalled),
      (error: unknown) => answer.close(error instanceof Error ? error : stalled),
    );
    let end: StreamBreak = { why: "the platform ended the stream", retryInMs: 0 };
    let refused = false;
    try {
      for await (const line of linesOf(answer.chunks)) {
        const said = line === "" ? undefined : this.#readLine(line);
        if (said === "skipped") continue;
        if (said?.kind === "ended") {
          end = { why: said.why, disconnectType: said.disconnectType, retryInMs: 0 };
          refused = !said.again;
          break;
        }
        this.#backoff.reset();
        this.#note(answer, said?.madeAt);
        if (said !== undefined && this.#seen.add(said.id)) yield said.item;
      }
    } catch (error) {
      if (this.#hookFailed) throw error;
      if (signal.aborted) return undefined;
      end = { why: reasonOf(error), retryInMs: 0 };
      refused = error instanceof AnswerbackError && !(error instanceof UnreachableError);
    } finally {
      over.abort();
      this.#coverage.broken();
    }
    const retryInMs = refused ? this.#backoff.afterRefusal() : this.#backoff.afterNetwork();
    this.#options.onDisconnect?.({ ...end, retryInMs });
    return retryInMs;
  }

  /**
   * Reads a line. An unreadable line is requested again by a reconnect. If it stays unreadable, it is skipped and
   * reported as a gap: each backfill would bring it again.
   *
   * @throws ProtocolError when a line is unreadable for the first time.
   */
  #readLine(line: string): StreamLine<Item> | "skipped" {
    try {
      return this.#source.read(line);
    } catch (error) {
      if (!(error instanceof ProtocolError) || this.#unreadable.add(line)) throw error;
      const at = this.#lastByteAt;
      this.#tell({ from: at, to: at }, { filled: false, why: error.message });
      return "skipped";
    }
  }

  #arrived(): void {
    this.#lastByteAt = this.#options.clock.now();
  }

  /**
   * Records a line as proof that the stream is complete: up to the creation of a post, or up to the arrival of a
   * heartbeat (undefined `madeAt`).
   *
   * After back-pressure, waiting lines are old, so the arrival of a heartbeat proves nothing.
   */
  #note({ holds }: StreamedAnswer, madeAt: number | undefined): void {
    const now = this.#options.clock.now();
    if (holds !== this.#holds) this.#heldBackAt = now;
    this.#holds = holds;
    const isOld = now - this.#heldBackAt <= this.#options.stallAfterMs;
    if (isOld && madeAt === undefined) return;
    const gap = this.#coverage.passed(madeAt ?? Infinity, this.#lastByteAt);
    if (gap !== undefined) this.#tell(gap, { filled: true, by: "backfill" });
    this.#coverage.alive(isOld ? Math.min(madeAt ?? 0, this.#lastByteAt) : this.#lastByteAt);
  }

  async *#fill(gap: Stretch): AsyncGenerator<Item, void, undefined> {
    const searchedGap = await this.#source.search?.(gap, this.#options.signal);
    if (searchedGap === undefined) {
      return this.#tell(gap, { filled: false, why: "it is longer than backfill reaches" });
    }
    for (const { id, item } of searchedGap.items) if (this.#seen.add(id)) yield item;
    const { why } = searchedGap;
    this.#tell(gap, why === undefined ? { filled: true, by: "search" } : { filled: false, why });
  }

  /** Reports a gap. An error of `onGap` ends the loop. */
  #tell({ from, to }: Stretch, gapOutcome: Omit<StreamGap, "from" | "to">): void {
    this.#hookFailed = true;
    this.#options.onGap?.({ from: new Date(from), to: new Date(to), ...gapOutcome });
    this.#hookFailed = false;
  }

  /**
   * Returns the milliseconds to wait after a failed attempt to connect.
   *
   * @throws the error if a retry would fail the same way.
   */
  #failed(error: unknown): number {
    if (!(error instanceof AnswerbackError)) throw error;
    const retryInMs = this.#backoff.afterFailure(error, this.#options.clock.now());
    if (retryInMs === undefined) throw error;
    this.#options.onDisconnect?.({ why: error.message, retryInMs });
    return retryInMs;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? cause.message : error.message;
}

/**
 * Splits a stream into lines, without their line ends. An empty line is a heartbeat; a last line without a line end is
 * dropped.
 *
 * @throws the error of `chunks`, after the complete lines before the error.
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield part.endsWith("\r") ? part.slice(0, -1) : part;
  }
}
