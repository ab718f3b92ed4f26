import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RecentLine } from "../../../runtime/control/recent-log.ts";
import type { RuntimeEvent } from "../../../runtime/runtime-events.ts";
import { leave, storedSession } from "../session/stored-session.ts";
import { followEvents, type LiveMessage, type SandboxItem } from "./connection.ts";

/** What happened meanwhile, as the listeners of a page get it. */
export interface LiveBatch {
  readonly runtime: readonly RuntimeEvent[];
  readonly sandbox: readonly SandboxItem[];
  readonly log: readonly RecentLine[];
}

/** How the connection to the server is. */
export interface ConnectionState {
  readonly state: "connecting" | "live" | "away";
  /** The last time at which it was away, and for how long. Milliseconds of this machine. */
  readonly gap?: { readonly until: number; readonly ms: number; readonly restarted: boolean };
}

export const connection = signal<ConnectionState>({ state: "connecting" });

/** Rises whenever something may have been missed: what is shown is to be asked for again. */
export const missed = signal(0);

const listeners = new Set<(batch: LiveBatch) => void>();

function take(message: LiveMessage): void {
  switch (message.kind) {
    case "away":
      connection.value = { ...connection.value, state: "away" };
      return;
    case "open": {
      const { awayMs: ms, restarted } = message;
      const isFirst = connection.value.state === "connecting";
      const wasAway = ms > 0 || restarted;
      const gap = wasAway ? { until: Date.now(), ms, restarted } : connection.value.gap;
      connection.value = gap === undefined ? { state: "live" } : { state: "live", gap };
      // What was asked for before the connection was there may have changed in between.
      if (wasAway || isFirst) missed.value += 1;
      return;
    }
    case "signed-out":
      return leave();
    case "behind":
      missed.value += 1;
      return;
    case "batch":
      for (const listener of listeners) listener(message);
  }
}

/**
 * Begins to listen: by the worker that all tabs of the session share, or where there is none by the tab that leads.
 *
 * @param id Id of the session.
 */
export function startLive(id: string): void {
  const session = storedSession();
  if (session === undefined) return leave();
  const name = `answerback-console-${id}`;
  if ("SharedWorker" in globalThis) {
    const worker = new SharedWorker("/_console/assets/live.js", {
      type: "module",
      name,
    });
    worker.port.addEventListener("message", ({ data }: MessageEvent<LiveMessage>) => take(data));
    worker.port.start();
    worker.port.postMessage(session);
    window.addEventListener("pagehide", () => worker.port.postMessage("bye"));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) location.reload();
    });
    return;
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }: MessageEvent<LiveMessage>) => take(data));
  void navigator.locks.request(name, () => {
    followEvents(session, (message) => {
      take(message);
      channel.postMessage(message);
    });
    // The lock is kept, and with it the lead, for as long as this tab is there.
    return new Promise(() => {});
  });
}

/** Calls `listener` with what happens while the component is shown; the latest one that was given. */
export function useLive(listener: (batch: LiveBatch) => void): void {
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const follow = (batch: LiveBatch): void => current.current(batch);
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
}
