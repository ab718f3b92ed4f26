import type { IncomingMessage } from "node:http";
import type { DropReason, UnfinishedBodies, UnfinishedBody } from "./unfinished-bodies.ts";

/**
 * Result of reading a request's body: the bytes; `too-large` once the announced or received size exceeds the limit;
 * `no-room` or `too-slow` if the body was given up; `aborted` if the sender disconnected.
 */
export type Body = Buffer | "too-large" | "aborted" | DropReason;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly bodies: UnfinishedBodies;
}

/** Returns the raw body if a body parser has stored it as `request.rawBody`, as some serverless platforms do. */
export function rawBodyOf(request: IncomingMessage): Buffer | undefined {
  const raw: unknown = "rawBody" in request ? request.rawBody : undefined;
  return Buffer.isBuffer(raw) ? raw : undefined;
}

/** Reads a request's raw body, within the limits. Never rejects: see {@link Body} for failures. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, bodies }: BodyLimits,
): Promise<Body> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.resolve("too-large");
  const raw = rawBodyOf(request);
  if (raw !== undefined) return Promise.resolve(raw.length > maxBytes ? "too-large" : raw);
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let body: UnfinishedBody | undefined;
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) return end("too-large");
      chunks.push(chunk);
      body?.grow(chunk.length);
    };
    const end = (what: Body): void => {
      body?.done();
      request.off("data", keep);
      chunks = [];
      resolve(what);
    };
    body = bodies.begin(announced, end);
    request.on("data", keep);
    request.on("end", () => {
      const [only] = chunks;
      end(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.on("error", () => end("aborted"));
    request.on("close", () => end("aborted"));
  });
}
