import type { ServerResponse } from "node:http";

/** Seconds before a retry, for clients other than the platform, whose first repeat comes after three seconds. */
const RETRY_AFTER_S = 5;

/** Answers 503: the platform sends the request again. */
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
