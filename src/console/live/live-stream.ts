import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import type { Session } from "../sign-in/sessions.ts";
import type { LiveLine } from "./live-line.ts";
import type { SandboxFeed } from "./sandbox-feed.ts";

/** What happens, for the page: runtime and sandbox on one connection. */
export interface LiveStream {
  /** Answers one request, until it is closed or the stream ends. Only an operator is told what happens in the sandbox. */
  readonly answer: (request: Request, response: Response, session: Pick<Session, "role">) => void;
  close(): void;
}

/** Events that come within this time are sent together. Milliseconds. */
const TOGETHER_MS = 100;
const HEARTBEAT_MS = 15_000;
/** A page that has not read so much gets no more until it has; what it missed is told as a gap. Bytes. */
const MOST_UNREAD = 1_000_000;

interface Sources {
  readonly runtime: ConsoleNeeds["runtime"];
  readonly sandbox: SandboxFeed | undefined;
  readonly mask?: Pick<SecretMask, "text"> | undefined;
}

/**
 * Sends {@link LiveLine}s as JSON, one a line: `hello` first, with this stream's name, once everything that happens from then on is
 * sent; then batches of what the feeds and the log have. A page that comes back with the id of its last batch gets the events of the
 * runtime that it missed. Another stream's name in `hello` means that there was a restart in between. `gap` means that the page has
 * read too slowly and something was left out.
 */
export function liveStream({ runtime, sandbox, mask }: Sources): LiveStream {
  const name = randomBytes(6).toString("hex");
  const open = new Set<() => void>();
  return {
    answer(request, response, { role }) {
      const follows = role === "operator" ? sandbox : undefined;
      const [known, after] = (request.get("last-event-id") ?? "").split("-");
      const isBack = known === name;
      response.writeHead(200, {
        "content-type": "application/x-ndjson",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      const batch: Batch = { runtime: [], sandbox: [], log: [], last: isBack ? Number(after) : 0 };
      let timer: NodeJS.Timeout | undefined;
      let isBehind = false;
      const flush = (): void => {
        timer = undefined;
        if (response.writableLength > MOST_UNREAD) {
          isBehind = true;
          batch.runtime = [];
          batch.sandbox = [];
          batch.log = [];
          timer = setTimeout(flush, TOGETHER_MS * 10);
          return;
        }
        if (isBehind) response.write(lineOf({ kind: "gap" }));
        isBehind = false;
        if (batch.runtime.length + batch.sandbox.length + batch.log.length === 0) return;
        const data = `{"kind":"batch","id":"${name}-${batch.last}","runtime":[${batch.runtime.join(",")}],"sandbox":[${batch.sandbox.join(",")}],"log":[${batch.log.join(",")}]}`;
        batch.runtime = [];
        batch.sandbox = [];
        batch.log = [];
        response.write(`${mask?.text(data) ?? data}\n`);
      };
      let isLive = false;
      const later = (): void => {
        if (isLive) timer ??= setTimeout(flush, TOGETHER_MS);
      };
      response.flushHeaders();
      const ends = [
        runtime?.events.subscribe(
          (event) => {
            batch.runtime.push(JSON.stringify(event));
            batch.last = event.seq;
            later();
          },
          isBack ? Number(after) : undefined,
        ),
        runtime?.recent.subscribe((line) => {
          batch.log.push(JSON.stringify(line));
          later();
        }),
        follows?.subscribe((item) => {
          batch.sandbox.push(item);
          later();
        }),
      ];
      const begin = (): void => {
        if (!open.has(end)) return;
        isLive = true;
        response.write(lineOf({ kind: "hello", stream: name }));
        later();
      };
      if (follows === undefined) queueMicrotask(begin);
      else void follows.opened().then(begin, begin);
      const heartbeat = setInterval(() => response.write("\n"), HEARTBEAT_MS);
      const end = (): void => {
        open.delete(end);
        for (const one of ends) one?.();
        clearInterval(heartbeat);
        clearTimeout(timer);
        isLive = false;
        response.end();
      };
      open.add(end);
      response.on("close", end);
    },
    close() {
      for (const end of open) end();
    },
  };
}

function lineOf(line: LiveLine): string {
  return `${JSON.stringify(line)}\n`;
}

interface Batch {
  runtime: string[];
  sandbox: string[];
  log: string[];
  /** Number of the runtime's latest event that was put into a batch. */
  last: number;
}
