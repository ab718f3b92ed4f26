import type { IncomingMessage } from "node:http";

/** What came as a request's body; `too-large` once more than the limit has been announced or seen. */
export type Body = Buffer | "too-large" | "cut";

/** Reads a request's raw bytes, never more than `maxBytes`. Never rejects. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) resolve("too-large");
      else chunks.push(chunk);
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
    });
    request.on("error", () => resolve("cut"));
    request.on("close", () => resolve("cut"));
  });
}
