import { compareIds } from "../world/ids.ts";

/** Ways in which a stream can be ended before its caller ends it. */
export const STREAM_ENDINGS = ["end", "cut", "disconnect"] as const;
export type StreamEnding = (typeof STREAM_ENDINGS)[number];

/** A connection of a stream, open or ended. Times in milliseconds since the Unix epoch, by the sandbox's clock. */
export interface Connection {
  /** Decimal id; a later connection has a higher id. */
  readonly id: string;
  readonly kind: string;
  readonly appId: string;
  readonly connectedAt: number;
  /** Time at which the connection ended; absent while it is open. */
  readonly disconnectedAt?: number;
  /** Reason of the end, as published in the sandbox's feed. */
  readonly reason?: string;
}

/** Properties and operations of an open stream that other modules use. */
export interface ListedStream {
  readonly id: string;
  readonly kind: string;
  readonly appId: string;
  readonly openedAt: number;
  /** Returns the stream's state for the control interface. */
  state(): Readonly<Record<string, unknown>>;
  /** Passes the id of a new object to the stream, which decides whether to send the object. */
  offer(id: string): void;
  /** Sends the waiting lines, unless stalled, then ends the response. @param why Reason shown in the feed. */
  end(why?: string): void;
  endBy(how: StreamEnding): void;
  /**
   * Holds back all lines, even keep-alive lines, for `ms` by the sandbox's clock; without `ms` until the stream ends. Of
   * several stalls, the one that ends last decides. A stream that ends while stalled loses the lines that are held back.
   */
  stall(ms?: number): void;
}

/** Maximum number of ended connections that are remembered. */
const MAX_ENDED = 1_000;

/** Streams that are currently open, and the last ended connections of this process. */
export class OpenStreams {
  readonly #open = new Set<ListedStream>();
  readonly #ended: Connection[] = [];

  add(stream: ListedStream): void {
    this.#open.add(stream);
  }

  /** Removes a stream. Only the first call has an effect. */
  remove(stream: ListedStream, at: number, reason: string): void {
    if (!this.#open.delete(stream)) return;
    this.#ended.push({ ...connectionOf(stream), disconnectedAt: at, reason });
    if (this.#ended.length > MAX_ENDED) this.#ended.shift();
  }

  /**
   * Returns the connections of an app's streams of one kind, open and ended, in the order in which they were opened.
   */
  connections(kind: string, appId: string): readonly Connection[] {
    return [...this.#ended, ...this.all().map(connectionOf)]
      .filter((one) => one.kind === kind && one.appId === appId)
      .toSorted((a, b) => compareIds(a.id, b.id));
  }

  /** Returns the open streams, oldest first. */
  all(): readonly ListedStream[] {
    return [...this.#open];
  }

  /** Returns an app's open streams of one kind. */
  of(kind: string, appId: string): readonly ListedStream[] {
    return this.all().filter((one) => one.kind === kind && one.appId === appId);
  }

  /** Passes the id of a new object to all streams of a kind. Each stream decides whether to send the object. */
  offer(kind: string, id: string): void {
    for (const stream of this.#open) if (stream.kind === kind) stream.offer(id);
  }

  /** Ends all streams, for example when their world is replaced. */
  endAll(): void {
    for (const stream of this.all()) stream.end("world-gone");
  }
}

function connectionOf({ id, kind, appId, openedAt }: ListedStream): Connection {
  return { id, kind, appId, connectedAt: openedAt };
}
