import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { RecentLine, RuntimeEvent } from "../../../runtime/vocabulary.ts";
import type { SessionTokens } from "../../sign-in/session-tokens.ts";
import { leave, storedSession } from "../session/stored-session.ts";
import { followEvents, type LiveMessage, type SandboxItem, stateAfter } from "./connection.ts";

/** Events that have arrived together, for the components of a page. */
export interface LiveBatch {
  readonly runtime: readonly RuntimeEvent[];
  readonly sandbox: readonly SandboxItem[];
  readonly log: readonly RecentLine[];
}

/** State of the page's connection to the server. */
export interface ConnectionState {
  readonly state: "connecting" | "live" | "away";
  /** End (`until`) and duration of the last outage, in milliseconds by this machine's clock. */
  readonly gap?: { readonly until: number; readonly ms: number; readonly restarted: boolean };
}

export const connection = signal<ConnectionState>({ state: "connecting" });

/** Counter that rises when events may have been missed. Components then request their data again. */
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
      // Data that was loaded before the event connection was open may be outdated, so components load it again.
      if (wasAway || isFirst) missed.value += 1;
      return;
    }
    case "signed-out":
      return leave(message.token);
    case "behind":
      missed.value += 1;
      return;
    case "batch":
      for (const listener of listeners) listener(message);
  }
}

/**
 * Starts to receive events. A worker that all tabs share holds the connection; in browsers without shared workers, one
 * of the tabs does.
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
  shareAmongTabs(name, session);
}

/** Message of a new tab, which asks for the state of the connection. */
const HELLO = "hello";

/** Lets one tab hold the connection for all tabs, in browsers without shared workers, such as Chrome on Android. */
function shareAmongTabs(name: string, session: SessionTokens): void {
  const channel = new BroadcastChannel(name);
  let latest: LiveMessage | undefined;
  const tell = (message: LiveMessage): void => {
    take(message);
    channel.postMessage(message);
  };
  channel.addEventListener("message", ({ data }: MessageEvent<LiveMessage | typeof HELLO>) => {
    if (data !== HELLO) take(data);
    else if (latest !== undefined) channel.postMessage(latest);
  });
  channel.postMessage(HELLO);
  void navigator.locks.request(name, () => {
    let isSuccessor = connection.value.state !== "connecting";
    followEvents(session, (message) => {
      latest = stateAfter(message, latest);
      tell(message);
      if (message.kind !== "open" || !isSuccessor) return;
      isSuccessor = false;
      // Events between the two connections reached no tab.
      tell({ kind: "behind" });
    });
    // The lock is held until this tab is closed, so that no second tab opens a connection.
    return new Promise(() => {});
  });
}

/**
 * Calls `listener` with each batch of events while the component is shown. A later `listener` replaces an earlier one.
 */
export function useLive(listener: (batch: LiveBatch) => void): void {
  const current = useRef(listener);
  current.current = listener;
  useEffect(() => {
    const follow = (batch: LiveBatch): void => current.current(batch);
    listeners.add(follow);
    return () => void listeners.delete(follow);
  }, []);
}
