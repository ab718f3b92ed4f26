/// <reference lib="webworker" />
import { followEvents, type LiveMessage } from "./connection.ts";

declare const self: SharedWorkerGlobalScope;

/** One connection for all tabs: a browser has six to a server, and each tab would keep one. */
const ports = new Set<MessagePort>();
let latest: LiveMessage | undefined;
let isFollowing = false;

self.addEventListener("connect", ({ ports: [port] }) => {
  if (port === undefined) return;
  ports.add(port);
  // A tab says so when it goes; one that can't is told in vain, which costs nothing.
  port.addEventListener("message", ({ data }) => {
    if (data === "bye") ports.delete(port);
  });
  port.start();
  if (latest !== undefined) port.postMessage(latest);
  if (isFollowing) return;
  isFollowing = true;
  followEvents((message) => {
    if (message.kind === "open") latest = { ...message, restarted: false, awayMs: 0 };
    if (message.kind === "away") latest = message;
    for (const each of ports) each.postMessage(message);
  });
});
