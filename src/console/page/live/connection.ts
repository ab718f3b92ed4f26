import { createParser, type EventSourceParser } from "eventsource-parser";
import type { RecentLine } from "../../../runtime/control/recent-log.ts";
import type { RuntimeEvent } from "../../../runtime/runtime-events.ts";
import { sessionHeaders } from "../asking/stored-token.ts";

/** Something that the sandbox's feed tells. */
export interface SandboxItem {
  readonly seq: number;
  /** ISO 8601 by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a tab is told by the connection that all tabs share. */
export type LiveMessage =
  | { readonly kind: "open"; readonly restarted: boolean; readonly awayMs: number }
  | { readonly kind: "away" }
  | { readonly kind: "signed-out" }
  | { readonly kind: "behind" }
  | {
      readonly kind: "batch";
      readonly runtime: readonly RuntimeEvent[];
      readonly sandbox: readonly SandboxItem[];
      readonly log: readonly RecentLine[];
    };

/** Follows the server's events with a session's token, and begins again whenever they break off. Returns what ends that. */
export function followEvents(token: string, tell: (message: LiveMessage) => void): () => void {
  const ending = new AbortController();
  void follow(token, tell, ending.signal);
  return () => ending.abort();
}

const RETRY_MS = 500;

async function follow(
  token: string,
  tell: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let stream: string | undefined;
  let lastId: string | undefined;
  let awaySince: number | undefined;
  const parser = createParser({
    onEvent({ event = "message", id, data }) {
      if (id !== undefined) lastId = id;
      if (event === "gap") return tell({ kind: "behind" });
      if (event === "message") return tell({ kind: "batch", ...JSON.parse(data) });
      if (event !== "hello") return;
      const hello: { stream: string } = JSON.parse(data);
      const restarted = stream !== undefined && stream !== hello.stream;
      const awayMs = awaySince === undefined ? 0 : Date.now() - awaySince;
      stream = hello.stream;
      awaySince = undefined;
      tell({ kind: "open", restarted, awayMs });
    },
  });
  while (!signal.aborted) {
    try {
      const headers = {
        ...sessionHeaders(token),
        ...(lastId !== undefined && { "last-event-id": lastId }),
      };
      const answer = await fetch("/_console/events", { headers, signal, cache: "no-store" });
      if (answer.status === 401) return tell({ kind: "signed-out" });
      if (answer.ok && answer.body !== null) await readInto(parser, answer.body);
    } catch (error) {
      // The server is away, or this was ended: fetch rejects with an error of its own kind for either.
      if (!(error instanceof Error)) throw error;
    }
    parser.reset();
    if (signal.aborted) return;
    awaySince ??= Date.now();
    tell({ kind: "away" });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function readInto(
  parser: EventSourceParser,
  body: ReadableStream<Uint8Array>,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
