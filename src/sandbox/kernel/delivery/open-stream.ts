import type { Sandbox } from "../sandbox.ts";
import { faultMet, NOTHING_SENT } from "./exchange-log.ts";
import type { FaultContext, InjectedFault, MetFault } from "./faults.ts";
import type { ListedStream, StreamEnding } from "./open-streams.ts";

/** How often an open stream shows that it is alive, by the sandbox's clock. Source: the live service. */
export const KEEP_ALIVE_MS = 20_000;

/** Characters that may wait for a caller who reads too slowly. */
const MAX_WAITING = 16 * 1024 * 1024;

/** How long a fault of type `delay` holds a stream back, unless it says otherwise. */
const DELAY_MS = 1_000;

/** Lines of the past that are made at once, while what is new waits. */
const PAST_AT_ONCE = 64;

/** A response that stays open. */
export interface StreamPipe {
  /** Resolves once the text has left this process, or the caller is gone. */
  readonly write: (text: string) => Promise<void>;
  /** Ends the response, or breaks the connection. */
  readonly close: (how: "end" | "cut") => void;
}

/** What a stream is. */
export interface StreamSpec {
  /** Such as `filtered`. */
  readonly kind: string;
  readonly path: string;
  readonly appId: string;
  /** Called with each id that is offered to streams of this kind, once the stream is open. */
  readonly onOffer: (id: string) => void;
}

/** A line before it is one: what it says, and what faults may know of it. */
export interface DraftLine {
  /** JSON. */
  readonly text: string;
  readonly about: LineSubject;
}

/** What a line is about, for faults. */
export type LineSubject = Pick<FaultContext, "event" | "account">;

/**
 * A response that stays open: a line of JSON for each thing, and an empty one where nothing was sent for a while.
 *
 * Lines leave in their order, after what they tell of is kept. Faults of direction `stream` strike them.
 */
export class OpenStream implements ListedStream {
  readonly #sandbox: Sandbox;
  readonly #spec: StreamSpec;
  readonly #pipe: StreamPipe;
  readonly id: string;
  readonly openedAt: number;
  /** Lines of the past, made as they leave, and those that were made. */
  #past: Iterator<DraftLine> | undefined;
  #made: string[] = [];
  #waiting: string[] = [];
  #waitingLength = 0;
  #flushing = false;
  #stalled = false;
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

  /** Sends a line, unless a fault has something else happen. */
  send({ text, about }: DraftLine): void {
    this.#strike(`${text}\r\n`, about, this.#waiting);
  }

  /** Sends lines of the past before all else, as fast as they are read. */
  sendPast(lines: Iterable<DraftLine>): void {
    this.#past = lines[Symbol.iterator]();
    this.#flush();
  }

  end(why = "end"): void {
    this.#finish("end", why);
  }

  /** Ends it in one of the ways that a stream may end. */
  endBy(how: StreamEnding): void {
    this.#past = undefined;
    this.#endBy(how, this.#waiting);
  }

  #endBy(how: StreamEnding, after: string[]): void {
    if (how === "disconnect") this.#push(this.#disconnectLine(), after);
    this.#finish(how === "disconnect" ? "end" : how, how);
  }

  stall(ms?: number): void {
    this.#stalled = true;
    if (ms === undefined) return;
    this.#sandbox.time.at(this.#sandbox.time.now() + ms, async () => {
      this.#stalled = false;
      this.#flush();
    });
  }

  /** To be called when the caller has gone. */
  gone(): void {
    this.#close("gone");
  }

  /** @param after The lines that it comes after. */
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

  /** Of the lines of a stream only those are kept among the exchanges that a fault met. */
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
    if (type === "duplicate") this.#push(text.repeat(n ?? 2), after);
    else if (type === "cut_after") this.#push(text, after);
    // A connection that breaks does not wait for the end of a line.
    else if (type === "cut") this.#push(text.slice(0, text.length >> 1), after);
    else if (type === "stall" || type === "delay") {
      this.stall(type === "delay" ? (ms ?? DELAY_MS) : ms);
      this.#push(text, after);
    }
    if (type === "cut" || type === "cut_after") this.#endBy("cut", after);
    else if (type === "end" || type === "disconnect") this.#endBy(type, after);
    else return;
    // What is left of the past, and what is new, would have come after it.
    this.#past = undefined;
    if (after === this.#made) this.#waiting = [];
  }

  /** Whether no line may come any more; those of the past come before an end that was asked for. */
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
    void this.#write()
      // What can't be kept is not told; a request that changes something hears why.
      .catch(() => this.#breakOff("not-kept"))
      .finally(() => {
        this.#flushing = false;
      });
  }

  async #write(): Promise<void> {
    while (!this.#stalled && !this.#over) {
      const text = this.#next();
      if (text === "") break;
      await this.#sandbox.keep();
      await this.#pipe.write(text);
    }
    if (this.#last === undefined || this.#stalled || this.#over) return;
    this.#pipe.close(this.#last);
    this.#close();
  }

  /** What is to leave next: of the past, as long as there is any, then what is new; empty where there is nothing. */
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

  /** The last that happens to it; of two, the first counts. */
  #finish(last: "end" | "cut", why: string): void {
    if (this.#over || this.#last !== undefined) return;
    this.#last = last;
    this.#tell(why);
    this.#sandbox.streams.remove(this);
    // A stream that is stalled has nothing to say before its end.
    this.#stalled = false;
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
    this.#sandbox.streams.remove(this);
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
