import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "./receive.ts";

/**
 * Told of a request to the webhook that is over.
 *
 * @param status Of the answer, or `aborted` where the sender went away before it was out.
 * @param seconds From the request's head to the end of its answer.
 */
export type OnAnswered = (
  request: "delivery" | "challenge",
  status: string,
  seconds: number,
) => void;

/** A receiver whose answers are counted. */
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
