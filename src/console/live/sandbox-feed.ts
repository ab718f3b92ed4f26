import { setTimeout as pause } from "node:timers/promises";
import { localRequest } from "../../system/local-request.ts";
import type { ShownSandbox } from "../console-needs.ts";

/** The sandbox's events as JSON texts, for any number of listeners. */
export interface SandboxFeed {
  subscribe(listener: SandboxListener): () => void;
  /** Resolves once events reach the listeners, or an attempt to connect has failed. */
  opened(): Promise<void>;
}

interface SandboxListener {
  /** Called with each event of the sandbox as JSON text. */
  readonly onItem: (item: string) => void;
  /** Called when events may be missing, because the connection was restored after a failure or interruption. */
  readonly onGap: () => void;
}

const RECONNECT_MS = 500;

/** Shares a single connection to the sandbox's event stream. The connection is open while there are listeners. */
export function sandboxFeed({ control }: Pick<ShownSandbox, "control">): SandboxFeed {
  const listeners = new Set<SandboxListener>();
  let ending: AbortController | undefined;
  let last: number | undefined;
  let opening = Promise.resolve();

  const follow = async (signal: AbortSignal, opened: () => void): Promise<void> => {
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        const after = last === undefined ? "" : `?after=${last}`;
        const headers = { authorization: `Bearer ${control.token}`, accept: "text/event-stream" };
        const answer = await localRequest(`${control.url}/events${after}`, { headers, signal });
        opened();
        // A restarted sandbox numbers its events from 1 again, so a request with `?after=N` may skip new events.
        if (!isFirst && answer.statusCode === 200) for (const { onGap } of listeners) onGap();
        let rest = "";
        for await (const chunk of answer.setEncoding("utf8")) {
          const frames = `${rest}${String(chunk)}`.split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) take(frame);
        }
      } catch (error) {
        if (signal.aborted) return;
        // The sandbox is unreachable: the loop tries again while there are listeners.
        if (!(error instanceof Error)) throw error;
        opened();
      }
      await pause(RECONNECT_MS, undefined, { ref: false });
    }
  };
  const take = (frame: string): void => {
    const seq = Number(/^id: (\d+)$/m.exec(frame)?.[1]);
    const start = frame.indexOf("\ndata: ");
    if (!Number.isSafeInteger(seq) || start < 0) return;
    last = seq;
    const item = frame.slice(start + "\ndata: ".length);
    for (const { onItem } of listeners) onItem(item);
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      if (ending === undefined) {
        ending = new AbortController();
        last = undefined;
        const { signal } = ending;
        opening = new Promise((resolve) => void follow(signal, resolve));
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        ending?.abort();
        ending = undefined;
      };
    },
    opened: () => opening,
  };
}
