/** How a stream is ended before its caller ends it. */
export const STREAM_ENDINGS = ["end", "cut", "disconnect"] as const;
export type StreamEnding = (typeof STREAM_ENDINGS)[number];

/** A stream as others may treat it. */
export interface ListedStream {
  readonly kind: string;
  readonly appId: string;
  /** As the control interface shows it. */
  state(): Readonly<Record<string, unknown>>;
  /** Something has been made that it may be for. */
  offer(id: string): void;
  /** Sends what is waiting, then ends the response. @param why For the feed. */
  end(why?: string): void;
  endBy(how: StreamEnding): void;
  /** Sends nothing more, not even that it is alive; for `ms` by the sandbox's clock, or for good. */
  stall(ms?: number): void;
}

/** The streams that callers read right now. */
export class OpenStreams {
  readonly #open = new Set<ListedStream>();

  add(stream: ListedStream): void {
    this.#open.add(stream);
  }

  remove(stream: ListedStream): void {
    this.#open.delete(stream);
  }

  /** Those that are open, oldest first. */
  all(): readonly ListedStream[] {
    return [...this.#open];
  }

  /** Those of one kind that an app has open. */
  of(kind: string, appId: string): readonly ListedStream[] {
    return this.all().filter((one) => one.kind === kind && one.appId === appId);
  }

  /** Offers something that has just been made to all streams of a kind; each takes what it is for. */
  offer(kind: string, id: string): void {
    for (const stream of this.#open) if (stream.kind === kind) stream.offer(id);
  }

  /** Ends all of them, as when the world that they showed is gone. */
  endAll(): void {
    for (const stream of this.all()) stream.end("world-gone");
  }
}
