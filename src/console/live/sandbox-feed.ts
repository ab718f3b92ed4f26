import { setTimeout as pause } from "node:timers/promises";
import { localRequest } from "../../system/local-request.ts";
import type { ShownSandbox } from "../console-needs.ts";

/** The sandbox's feed as text: nothing of it is read here. */
export interface SandboxFeed {
  /** Calls `listener` with each item, as JSON text, and its number, beginning with those after `after` that are kept. */
  subscribe(listener: SandboxListener): () => void;
  /** Resolves once what happens reaches the listeners, or the sandbox turned out to be away. */
  opened(): Promise<void>;
}

type SandboxListener = (item: string, seq: number) => void;

const RECONNECT_MS = 500;

/** One connection to the sandbox's feed, open while somebody listens. */
export function sandboxFeed({ control }: Pick<ShownSandbox, "control">): SandboxFeed {
  const listeners = new Set<SandboxListener>();
  let ending: AbortController | undefined;
  let last: number | undefined;
  let opening = Promise.resolve();

  const follow = async (signal: AbortSignal, opened: () => void): Promise<void> => {
    while (!signal.aborted) {
      try {
        const after = last === undefined ? "" : `?after=${last}`;
        const headers = { authorization: `Bearer ${control.token}`, accept: "text/event-stream" };
        const answer = await localRequest(`${control.url}/events${after}`, { headers, signal });
        opened();
        let rest = "";
        for await (const chunk of answer.setEncoding("utf8")) {
          const frames = `${rest}${String(chunk)}`.split("\n\n");
          rest = frames.pop() ?? "";
          for (const frame of frames) take(frame);
        }
      } catch (error) {
        if (signal.aborted) return;
        // The sandbox is away: it is asked again until it is back, or nobody listens.
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
    for (const listener of listeners) listener(item, seq);
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
