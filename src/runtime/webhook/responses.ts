import type { ServerResponse } from "node:http";

/** Value of `retry-after` in seconds. The platform does not need it: it repeats a delivery after three seconds. */
const RETRY_AFTER_S = 5;

/** Sends a response with status 503, after which the platform sends the request again. */
export function comeAgain(response: ServerResponse, why: string): void {
  response.setHeader("retry-after", String(RETRY_AFTER_S));
  refuse(response, 503, `${why}; send it again`);
}

export function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { error: message });
}

export function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  };
  response.writeHead(status, headers).end(text);
}
