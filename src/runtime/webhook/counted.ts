import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "./receive.ts";

/**
 * Called after each request to the webhook.
 *
 * @param status Status of the answer, or `aborted` if the sender disconnected before the answer was sent.
 * @param seconds Time from the request's head to the end of its answer.
 */
export type OnAnswered = (
  request: "delivery" | "challenge",
  status: string,
  seconds: number,
) => void;

/** Wraps a receiver to report each of its answers. */
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
