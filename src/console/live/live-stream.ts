import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import type { Session } from "../sign-in/sessions.ts";
import type { LiveLine } from "./live-line.ts";
import type { SandboxFeed } from "./sandbox-feed.ts";

/** Sends events of runtime and sandbox to pages, each over a single connection. */
export interface LiveStream {
  /**
   * Answers one request with events, until the request is closed or the stream ends. Only operators get events of the
   * sandbox.
   */
  readonly answer: (request: Request, response: Response, session: Pick<Session, "role">) => void;
  close(): void;
}

/** Milliseconds for which events are collected before they are sent as one batch. */
const TOGETHER_MS = 100;
const HEARTBEAT_MS = 15_000;
/**
 * Back-pressure: number of unread bytes above which a page gets no more batches. Events that it misses are reported as
 * a gap.
 */
const MAX_UNREAD_BYTES = 1_000_000;

interface Sources {
  readonly runtime: ConsoleNeeds["runtime"];
  readonly sandbox: SandboxFeed | undefined;
  readonly mask?: Pick<SecretMask, "text"> | undefined;
}

/**
 * Returns a stream of {@link LiveLine}s, sent as one JSON object a line.
 *
 * The first line is `hello` with the stream's name. Batches of events of runtime, sandbox and log follow. A page that
 * reconnects with the id of its last batch gets the runtime's events that it missed. A different stream name in `hello`
 * means that the server has restarted. `gap` means that events are missing: the page read too slowly, or the connection
 * to the sandbox was interrupted.
 */
export function liveStream({ runtime, sandbox, mask }: Sources): LiveStream {
  const name = randomBytes(6).toString("hex");
  const open = new Set<() => void>();
  return {
    answer(request, response, { role }) {
      const follows = role === "operator" ? sandbox : undefined;
      const [streamName, lastSeq] = (request.get("last-event-id") ?? "").split("-");
      const after = streamName === name ? Number(lastSeq) : undefined;
      response.writeHead(200, {
        "content-type": "application/x-ndjson",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      response.flushHeaders();
      const lines = new PageLines(response, name, after ?? 0, mask);
      const ends = [
        runtime?.events.subscribe(
          (event) => lines.add("runtime", JSON.stringify(event), event.seq),
          after,
        ),
        runtime?.recent.subscribe((line) => lines.add("log", JSON.stringify(line))),
        follows?.subscribe({
          onItem: (item) => lines.add("sandbox", item),
          onGap: () => lines.reportGap(),
        }),
      ];
      const end = (): void => {
        open.delete(end);
        for (const one of ends) one?.();
        lines.end();
      };
      open.add(end);
      response.on("close", end);
      const begin = (): void => {
        if (open.has(end)) lines.begin();
      };
      if (follows === undefined) queueMicrotask(begin);
      else void follows.opened().then(begin, begin);
    },
    close() {
      for (const end of open) end();
    },
  };
}

type Batch = Record<"runtime" | "sandbox" | "log", string[]>;

/** Sends events to one open page. Events are collected and written together as a batch. */
class PageLines {
  readonly #response: Response;
  readonly #stream: string;
  readonly #mask: Sources["mask"];
  readonly #heartbeat: NodeJS.Timeout;
  #last: number;
  #batch = emptyBatch();
  #hasGap = false;
  #isLive = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param last Number of the latest event of the runtime that the page has received. */
  constructor(response: Response, stream: string, last: number, mask: Sources["mask"]) {
    this.#response = response;
    this.#stream = stream;
    this.#last = last;
    this.#mask = mask;
    this.#heartbeat = setInterval(() => response.write("\n"), HEARTBEAT_MS);
  }

  /** Sends `hello`, and then the batches. */
  begin(): void {
    this.#isLive = true;
    this.#write({ kind: "hello", stream: this.#stream });
    this.#sendSoon();
  }

  /** Adds an event as JSON text. `seq` is its number if it is an event of the runtime. */
  add(feed: keyof Batch, event: string, seq = this.#last): void {
    this.#batch[feed].push(event);
    this.#last = seq;
    this.#sendSoon();
  }

  /** Reports to the page that events are missing. */
  reportGap(): void {
    this.#hasGap = true;
    this.#sendSoon();
  }

  end(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#timer);
    this.#isLive = false;
    this.#response.end();
  }

  #sendSoon(): void {
    if (this.#isLive) this.#timer ??= setTimeout(() => this.#flush(), TOGETHER_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const { runtime, sandbox, log } = this.#batch;
    this.#batch = emptyBatch();
    if (this.#response.writableLength > MAX_UNREAD_BYTES) {
      this.#hasGap = true;
      this.#timer = setTimeout(() => this.#flush(), TOGETHER_MS * 10);
      return;
    }
    if (this.#hasGap) this.#write({ kind: "gap" });
    this.#hasGap = false;
    if (runtime.length + sandbox.length + log.length === 0) return;
    const data = `{"kind":"batch","id":"${this.#stream}-${this.#last}","runtime":[${runtime.join(",")}],"sandbox":[${sandbox.join(",")}],"log":[${log.join(",")}]}`;
    this.#response.write(`${this.#mask?.text(data) ?? data}\n`);
  }

  #write(line: LiveLine): void {
    this.#response.write(`${JSON.stringify(line)}\n`);
  }
}

function emptyBatch(): Batch {
  return { runtime: [], sandbox: [], log: [] };
}
