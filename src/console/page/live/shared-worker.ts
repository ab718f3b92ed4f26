/// <reference lib="webworker" />
import type { SessionTokens } from "../../sign-in/session-tokens.ts";
import { followEvents, type LiveMessage, stateAfter } from "./connection.ts";

declare const self: SharedWorkerGlobalScope;

/**
 * Ports of a session's tabs. They share one connection, since browsers allow only six HTTP/1.1 connections to a server.
 */
const ports = new Set<MessagePort>();
let latest: LiveMessage | undefined;
let isFollowing = false;

self.addEventListener("connect", ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  // A closing tab sends "bye". A tab that could not send it stays in the list; messages to it are lost, which does no
  // harm.
  port.addEventListener("message", ({ data }: MessageEvent<"bye" | SessionTokens>) => {
    if (data === "bye") ports.delete(port);
    else begin(data);
  });
  port.start();
  if (latest !== undefined) port.postMessage(latest);
});

/** Starts to follow events. A worker has no storage, so the first tab sends the session's tokens. */
function begin(session: SessionTokens): void {
  if (isFollowing) return;
  isFollowing = true;
  followEvents(session, (message) => {
    latest = stateAfter(message, latest);
    for (const each of ports) each.postMessage(message);
  });
}
