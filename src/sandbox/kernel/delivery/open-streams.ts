/** Ways in which a stream can be ended before its caller ends it. */
export const STREAM_ENDINGS = ["end", "cut", "disconnect"] as const;
export type StreamEnding = (typeof STREAM_ENDINGS)[number];

/** Operations on a stream that other modules use. */
export interface ListedStream {
  readonly kind: string;
  readonly appId: string;
  /** Returns the stream's state for the control interface. */
  state(): Readonly<Record<string, unknown>>;
  /** Offers a new object, which the stream may send. */
  offer(id: string): void;
  /** Sends the waiting lines, then ends the response. @param why Reason for the feed. */
  end(why?: string): void;
  endBy(how: StreamEnding): void;
  /** Sends nothing more, not even keep-alive lines; for `ms` by the sandbox's clock, or for good. */
  stall(ms?: number): void;
}

/** Streams that are currently open. */
export class OpenStreams {
  readonly #open = new Set<ListedStream>();

  add(stream: ListedStream): void {
    this.#open.add(stream);
  }

  remove(stream: ListedStream): void {
    this.#open.delete(stream);
  }

  /** Returns the open streams, oldest first. */
  all(): readonly ListedStream[] {
    return [...this.#open];
  }

  /** Returns an app's open streams of one kind. */
  of(kind: string, appId: string): readonly ListedStream[] {
    return this.all().filter((one) => one.kind === kind && one.appId === appId);
  }

  /** Offers a new object to all streams of a kind; each stream decides whether to send it. */
  offer(kind: string, id: string): void {
    for (const stream of this.#open) if (stream.kind === kind) stream.offer(id);
  }

  /** Ends all streams, for example when their world is replaced. */
  endAll(): void {
    for (const stream of this.all()) stream.end("world-gone");
  }
}
