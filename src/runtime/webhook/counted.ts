import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "./receive.ts";

/**
 * Called after each request to the webhook.
 *
 * @param status HTTP status of the response, or `aborted` if the sender disconnected before the response was sent.
 * @param seconds Time from the request's headers to the end of its response.
 */
export type OnAnswered = (
  request: "delivery" | "challenge",
  status: string,
  seconds: number,
) => void;

/** Wraps a receiver, and calls `onAnswered` after each of its responses. */
export function counted(receive: Receiver, onAnswered: OnAnswered): Receiver {
  const receiveOne = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const kind = request.method === "POST" ? "delivery" : "challenge";
    response.once("close", () => {
      const status = response.writableFinished ? String(response.statusCode) : "aborted";
      onAnswered(kind, status, (performance.now() - startedAt) / 1_000);
    });
    receive(request, response);
  };
  return Object.assign(receiveOne, { status: receive.status });
}
