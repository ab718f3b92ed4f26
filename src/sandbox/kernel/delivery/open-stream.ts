import type { Sandbox } from "../sandbox.ts";
import { faultMet, NOTHING_SENT } from "./exchange-log.ts";
import type { FaultContext, InjectedFault, MetFault } from "./faults.ts";
import type { ListedStream, StreamEnding } from "./open-streams.ts";

/** Interval of keep-alive lines on an open stream, by the sandbox's clock. Source: the live service. */
export const KEEP_ALIVE_MS = 20_000;

/** Maximum number of characters of live lines that may wait for a slow reader. */
const MAX_WAITING = 16 * 1024 * 1024;

/** Default duration of a `delay` fault, which holds back all lines of a stream. */
const DELAY_MS = 1_000;

/** Number of backfill lines rendered at once, while live lines wait. */
const PAST_AT_ONCE = 64;

/** Open HTTP response that a stream writes to. */
export interface StreamPipe {
  /** Resolves once the text has left this process, or the caller has disconnected. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the response (`end`) or breaks the connection (`cut`). */
  readonly close: (how: "end" | "cut") => void;
}

/** Kind, path and app of a stream. */
export interface StreamSpec {
  /** Kind of stream, for example `filtered`. */
  readonly kind: string;
  readonly path: string;
  readonly appId: string;
  /** Called with the id of each new object for streams of this kind, once the stream is open. */
  readonly onOffer: (id: string) => void;
}

/** A line before faults are applied: its text, and the properties that a fault's conditions are compared with. */
export interface DraftLine {
  /** JSON text without a line break. */
  readonly text: string;
  readonly about: LineSubject;
}

/** Event type and account of a line, which faults can match. */
export type LineSubject = Pick<FaultContext, "event" | "account">;

/**
 * A response that stays open: one line of JSON per object, and an empty keep-alive line after a period without lines.
 *
 * Lines are sent in order, after the changes that they report are stored. Faults of direction `stream` apply to lines.
 */
export class OpenStream implements ListedStream {
  readonly #sandbox: Sandbox;
  readonly #spec: StreamSpec;
  readonly #pipe: StreamPipe;
  readonly id: string;
  readonly openedAt: number;
  /** Backfill lines that are not rendered yet. */
  #past: Iterator<DraftLine> | undefined;
  /** Rendered backfill lines that are not sent yet. */
  #made: string[] = [];
  /** Live lines that are not sent yet. */
  #waiting: string[] = [];
  #waitingLength = 0;
  #flushing = false;
  /** End of the current stall, by the sandbox's clock; `Infinity` for the end of the stream. */
  #stalledUntil: number | undefined;
  #last: "end" | "cut" | undefined;
  #over = false;
  #lastSent: number;
  #sent = 0;
  #endBeat: () => void;

  constructor(sandbox: Sandbox, spec: StreamSpec, pipe: StreamPipe) {
    this.#sandbox = sandbox;
    this.#spec = spec;
    this.#pipe = pipe;
    this.openedAt = sandbox.time.now();
    this.id = sandbox.world.ids.next();
    this.#lastSent = this.openedAt;
    this.#endBeat = this.#beatAt(this.openedAt + KEEP_ALIVE_MS);
    sandbox.streams.add(this);
    this.#tell("open");
  }

  get kind(): string {
    return this.#spec.kind;
  }

  get appId(): string {
    return this.#spec.appId;
  }

  state(): Readonly<Record<string, unknown>> {
    const { id, openedAt } = this;
    const { kind, path, appId } = this.#spec;
    const opened = new Date(openedAt).toISOString();
    return { id, kind, path, app_id: appId, opened_at: opened, lines: this.#sent };
  }

  offer(id: string): void {
    if (!this.#over && this.#last === undefined) this.#spec.onOffer(id);
  }

  /** Sends a line, unless a fault replaces it. */
  send({ text, about }: DraftLine): void {
    this.#strike(`${text}\r\n`, about, this.#waiting);
  }

  /** Sends backfill lines before all live lines, as fast as the caller reads them. */
  sendPast(lines: Iterable<DraftLine>): void {
    this.#past = lines[Symbol.iterator]();
    this.#flush();
  }

  end(why = "end"): void {
    this.#finish("end", why);
  }

  /** Ends the stream at a time by the sandbox's clock: at once, after the backfill lines, if the time is past. */
  endAt(at: number): void {
    if (at <= this.#sandbox.time.now()) this.end("end-time");
    else this.#sandbox.time.at(at, async () => this.end("end-time"));
  }

  /** Ends the stream in one of the ways of {@link StreamEnding}. */
  endBy(how: StreamEnding): void {
    this.#past = undefined;
    this.#endBy(how, this.#waiting);
  }

  #endBy(how: StreamEnding, after: string[]): void {
    if (how === "disconnect") this.#push(this.#disconnectLine(), after);
    this.#finish(how === "disconnect" ? "end" : how, how);
  }

  stall(ms = Infinity): void {
    const until = this.#sandbox.time.now() + ms;
    if (until <= (this.#stalledUntil ?? -Infinity)) return;
    this.#stalledUntil = until;
    if (until === Infinity) return;
    this.#sandbox.time.at(until, async () => {
      // A longer stall may have begun since, or the stream may have ended.
      if (this.#stalledUntil !== until) return;
      this.#stalledUntil = undefined;
      this.#flush();
    });
  }

  get #stalled(): boolean {
    return this.#stalledUntil !== undefined;
  }

  /** Closes the stream after the caller has disconnected. */
  gone(): void {
    this.#close("gone");
  }

  /** Applies faults to a line. @param after Queue that the line is appended to. */
  #strike(text: string, about: LineSubject, after: string[]): void {
    if (this.#isShut(after)) return;
    const { path } = this.#spec;
    const context = { direction: "stream", method: "GET", path, ...about } as const;
    const fault = this.#sandbox.faults.trigger(context);
    if (fault === undefined) this.#push(text, after);
    else {
      this.#keepMet(fault, about);
      this.#apply(fault, text, after);
    }
  }

  /** Logs a line to which a fault was applied. Other lines of a stream are not logged as exchanges. */
  #keepMet(fault: MetFault, { event, account }: LineSubject): void {
    const { path, appId } = this.#spec;
    this.#sandbox.exchanges.add({
      at: this.#sandbox.time.now(),
      direction: "stream",
      method: "GET",
      url: path,
      query: "",
      status: 200,
      ms: 0,
      request: NOTHING_SENT,
      response: NOTHING_SENT,
      about: { app_id: appId, event, for_user_id: account, ...faultMet(fault) },
    });
  }

  #apply({ type, ms, n }: InjectedFault, text: string, after: string[]): void {
    if (type === "duplicate") {
      for (let line = 0; line < (n ?? 2); line += 1) this.#push(text, after);
    } else if (type === "cut_after") this.#push(text, after);
    // Half a line, as when a connection breaks.
    else if (type === "cut") this.#push(text.slice(0, text.length >> 1), after);
    else if (type === "stall" || type === "delay") {
      this.stall(type === "delay" ? (ms ?? DELAY_MS) : ms);
      this.#push(text, after);
    }
    if (type === "cut" || type === "cut_after") this.#endBy("cut", after);
    else if (type === "end" || type === "disconnect") this.#endBy(type, after);
    else return;
    // The line ends the stream, so everything that would have followed it is dropped.
    this.#past = undefined;
    if (after === this.#made) this.#waiting = [];
  }

  /** Returns whether a queue accepts no more lines. A stream that ends still accepts its backfill lines. */
  #isShut(after: string[]): boolean {
    return this.#over || (this.#last !== undefined && after !== this.#made);
  }

  #push(text: string, after: string[]): void {
    if (this.#isShut(after)) return;
    this.#lastSent = this.#sandbox.time.now();
    this.#sent += 1;
    after.push(text);
    if (after === this.#made) return;
    this.#waitingLength += text.length;
    if (this.#waitingLength > MAX_WAITING) this.#breakOff("slow-reader");
    else this.#flush();
  }

  #flush(): void {
    if (this.#flushing || this.#stalled || this.#over) return;
    this.#flushing = true;
    // If the save fails, the line is not sent. The request that made the change returns the error.
    void this.#write().catch(() => this.#breakOff("not-kept"));
  }

  async #write(): Promise<void> {
    try {
      while (!this.#stalled && !this.#over) {
        const text = this.#next();
        if (text === "") break;
        await this.#sandbox.keep();
        await this.#pipe.write(text);
      }
    } finally {
      // No `await` between the last `#next()` and this line: a line that arrives afterwards starts a new write.
      this.#flushing = false;
    }
    if (this.#last === undefined || this.#stalled || this.#over) return;
    this.#pipe.close(this.#last);
    this.#close();
  }

  /** Returns the next text to send: backfill first, then live lines; empty if there is neither. */
  #next(): string {
    while (this.#past !== undefined && !this.#stalled && this.#made.length < PAST_AT_ONCE) {
      const { done, value } = this.#past.next();
      if (done === true) this.#past = undefined;
      else this.#strike(`${value.text}\r\n`, value.about, this.#made);
    }
    if (this.#stalled) return "";
    if (this.#made.length > 0) return this.#made.splice(0).join("");
    this.#waitingLength = 0;
    return this.#waiting.splice(0).join("");
  }

  /** Schedules the end of the stream. Only the first call has an effect. */
  #finish(last: "end" | "cut", why: string): void {
    if (this.#over || this.#last !== undefined) return;
    this.#last = last;
    this.#tell(why);
    this.#sandbox.streams.remove(this, this.#sandbox.time.now(), why);
    if (this.#stalled) {
      // A stalled connection ends without the lines that it held back.
      this.#past = undefined;
      this.#made = [];
      this.#waiting = [];
      this.#stalledUntil = undefined;
    }
    this.#flush();
  }

  #breakOff(why: string): void {
    if (this.#over) return;
    this.#pipe.close("cut");
    this.#close(why);
  }

  #close(why?: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#endBeat();
    this.#past = undefined;
    this.#waiting = [];
    this.#sandbox.streams.remove(this, this.#sandbox.time.now(), why ?? "end");
    if (why !== undefined && this.#last === undefined) this.#tell(why);
  }

  #beatAt(at: number): () => void {
    return this.#sandbox.time.atRest(at, async () => {
      const now = this.#sandbox.time.now();
      if (now - this.#lastSent >= KEEP_ALIVE_MS) {
        this.#lastSent = now;
        this.#strike("\r\n", { event: "keep_alive" }, this.#waiting);
      }
      if (!this.#over) this.#endBeat = this.#beatAt(this.#lastSent + KEEP_ALIVE_MS);
    });
  }

  #disconnectLine(): string {
    const problem = {
      title: "operational-disconnect",
      disconnect_type: "UpstreamOperationalDisconnect",
      detail: "This stream has been disconnected upstream for operational reasons.",
      type: `${this.#sandbox.baseUrl}/2/problems/operational-disconnect`,
    };
    return `${JSON.stringify({ errors: [problem] })}\r\n`;
  }

  #tell(state: string): void {
    this.#sandbox.feed.publish("stream", { ...this.state(), state });
  }
}
