import type { RecentLine } from "../../../runtime/control/recent-log.ts";
import type { RuntimeEvent } from "../../../runtime/runtime-events.ts";

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
  | { readonly kind: "behind" }
  | {
      readonly kind: "batch";
      readonly runtime: readonly RuntimeEvent[];
      readonly sandbox: readonly SandboxItem[];
      readonly log: readonly RecentLine[];
    };

/** Follows the server's events, and begins again whenever they break off. Returns what ends that. */
export function followEvents(tell: (message: LiveMessage) => void): () => void {
  let stream: string | undefined;
  let awaySince: number | undefined;
  const source = new EventSource("/_console/events");
  source.addEventListener("hello", ({ data }) => {
    const hello: { stream: string } = JSON.parse(String(data));
    const restarted = stream !== undefined && stream !== hello.stream;
    const awayMs = awaySince === undefined ? 0 : Date.now() - awaySince;
    stream = hello.stream;
    awaySince = undefined;
    tell({ kind: "open", restarted, awayMs });
  });
  source.addEventListener("gap", () => tell({ kind: "behind" }));
  source.addEventListener("message", ({ data }) => {
    tell({ kind: "batch", ...JSON.parse(String(data)) });
  });
  source.addEventListener("error", () => {
    awaySince ??= Date.now();
    tell({ kind: "away" });
    // A browser gives up on an answer that is an error; a restart gives some of those.
    if (source.readyState === EventSource.CLOSED) retry();
  });
  let ended = false;
  let endNext = (): void => {};
  const retry = (): void => {
    const timer = setTimeout(() => {
      if (ended) return;
      endNext = followEvents((message) => {
        if (message.kind !== "open") return tell(message);
        const awayMs = awaySince === undefined ? 0 : Date.now() - awaySince;
        tell({ kind: "open", restarted: true, awayMs });
      });
    }, RETRY_MS);
    endNext = () => clearTimeout(timer);
  };
  return () => {
    ended = true;
    source.close();
    endNext();
  };
}

const RETRY_MS = 1_000;
