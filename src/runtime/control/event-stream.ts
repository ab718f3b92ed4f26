import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { RuntimeEvent, RuntimeEventFeed } from "../runtime-events.ts";
import { EVENT_STREAM } from "./contract.ts";

/** A stream of runtime events over HTTP, as server-sent events. */
export interface EventStream {
  /** Answers one request: the events after the one that it names, then all that happen. */
  readonly answer: (request: Request, response: Response) => void;
}

/** Sent when nothing happens, so that neither side takes the connection for dead. Milliseconds. */
const HEARTBEAT_MS = 15_000;

/**
 * Streams `feed`, without what `mask` cuts out. An event's id is this stream's name and the event's number: the number alone, kept
 * from an earlier run of the runtime, would name another event.
 *
 * @throws {ZodError} when the query can't be read.
 */
export function eventStream(feed: RuntimeEventFeed, mask?: Pick<SecretMask, "text">): EventStream {
  const stream = randomBytes(6).toString("hex");
  return {
    answer(request, response) {
      const { after } = EVENT_STREAM.request.parse(request.query);
      const from = resumedAfter(stream, request.get("last-event-id")) ?? after;
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
      });
      const end = feed.subscribe((event) => {
        const frame = frameOf(stream, event);
        response.write(mask?.text(frame) ?? frame);
      }, from);
      const heartbeat = setInterval(() => response.write(":\n\n"), HEARTBEAT_MS);
      response.on("close", () => {
        end();
        clearInterval(heartbeat);
      });
      response.flushHeaders();
    },
  };
}

/** Of another run's id nothing is known here: all that is kept is sent. */
function resumedAfter(stream: string, lastId: string | undefined): number | undefined {
  if (lastId === undefined) return undefined;
  const [name, seq] = lastId.split("-");
  return name === stream && /^\d+$/.test(seq ?? "") ? Number(seq) : 0;
}

function frameOf(stream: string, event: RuntimeEvent): string {
  return `id: ${stream}-${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
