import type { LiveLine } from "../../live/live-line.ts";
import type { RecentLine, RuntimeEvent } from "../../../runtime/vocabulary.ts";
import type { SessionTokens } from "../../sign-in/session-tokens.ts";
import { isOwnServer } from "../session/is-own-server.ts";
import { sessionHeaders } from "../session/stored-session.ts";

/** Event of the sandbox's feed. */
export interface SandboxItem {
  readonly seq: number;
  /** Time of the event in ISO 8601, by the sandbox's clock. */
  readonly at: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Message to a browser tab, from the shared worker or tab that holds the event connection for all tabs. */
export type LiveMessage =
  | { readonly kind: "open"; readonly restarted: boolean; readonly awayMs: number }
  | { readonly kind: "away" }
  /** `token` is the refused one. */
  | { readonly kind: "signed-out"; readonly token: string }
  | { readonly kind: "behind" }
  | {
      readonly kind: "batch";
      readonly runtime: readonly RuntimeEvent[];
      readonly sandbox: readonly SandboxItem[];
      readonly log: readonly RecentLine[];
    };

/** Returns the message that informs a later tab about the state of the connection, after one more message. */
export function stateAfter(
  message: LiveMessage,
  before: LiveMessage | undefined,
): LiveMessage | undefined {
  if (message.kind === "open") return { ...message, restarted: false, awayMs: 0 };
  return message.kind === "away" || message.kind === "signed-out" ? message : before;
}

/**
 * Follows the server's events for a session, and reconnects after interruptions.
 *
 * @returns Function that unsubscribes.
 */
export function followEvents(
  session: SessionTokens,
  tell: (message: LiveMessage) => void,
): () => void {
  const ending = new AbortController();
  void follow(session, tell, ending.signal);
  return () => ending.abort();
}

const RETRY_MS = 500;

async function follow(
  session: SessionTokens,
  tell: (message: LiveMessage) => void,
  signal: AbortSignal,
): Promise<void> {
  let stream: string | undefined;
  let lastId: string | undefined;
  let awaySince: number | undefined;
  const take = (text: string): void => {
    const line: LiveLine = JSON.parse(text);
    if (line.kind === "gap") return tell({ kind: "behind" });
    if (line.kind === "batch") {
      lastId = line.id;
      return tell(line as LiveMessage);
    }
    const restarted = stream !== undefined && stream !== line.stream;
    const awayMs = awaySince === undefined ? 0 : Date.now() - awaySince;
    stream = line.stream;
    awaySince = undefined;
    tell({ kind: "open", restarted, awayMs });
  };
  while (!signal.aborted) {
    try {
      if (await isOwnServer(session, signal)) {
        const headers = {
          ...sessionHeaders(session),
          ...(lastId !== undefined && { "last-event-id": lastId }),
        };
        const answer = await fetch("/_console/events", { headers, signal, cache: "no-store" });
        if (answer.status === 401) return tell({ kind: "signed-out", token: session.token });
        if (answer.ok && answer.body !== null) await readLines(answer.body, take);
      }
    } catch (error) {
      // The server is unreachable, or the request was aborted. `fetch` rejects with a different error class in each
      // browser.
      if (!(error instanceof Error)) throw error;
    }
    if (signal.aborted) return;
    awaySince ??= Date.now();
    tell({ kind: "away" });
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

async function readLines(
  body: ReadableStream<Uint8Array>,
  take: (line: string) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") take(line);
  }
}
