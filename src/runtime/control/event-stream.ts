import { randomBytes } from "node:crypto";
import type { Request, Response } from "express";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";
import type { RuntimeEvent, RuntimeEventFeed } from "../runtime-events.ts";
import { EVENT_STREAM } from "./contract.ts";

/** Stream of runtime events over HTTP, as server-sent events. */
export interface EventStream {
  /** Answers a request with the stored events after the event that the request names, and then with all new events. */
  readonly answer: (request: Request, response: Response) => void;
}

/** Milliseconds between heartbeats, which keep both sides from closing an idle connection. */
const HEARTBEAT_MS = 15_000;

/**
 * Streams `feed`, without the texts that `mask` hides. An event's id consists of the stream's random name and the
 * event's number. So the id of an event from before a restart is recognized: its number now belongs to another event.
 *
 * @throws {ZodError} if the query is invalid.
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

/**
 * Returns the number of the last event that the client has received. For an id from before a restart it is 0, so that
 * the client gets all stored events.
 */
function resumedAfter(stream: string, lastId: string | undefined): number | undefined {
  if (lastId === undefined) return undefined;
  const [name, seq] = lastId.split("-");
  return name === stream && /^\d+$/.test(seq ?? "") ? Number(seq) : 0;
}

function frameOf(stream: string, event: RuntimeEvent): string {
  return `id: ${stream}-${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
