import type { IncomingMessage } from "node:http";

/**
 * What came as a request's body: `too-large` once more than the limit has been announced or seen,
 * `over-budget` once there is no room for it next to the others, `aborted` when its sender went away.
 */
export type Body = Buffer | "too-large" | "over-budget" | "aborted";

export interface BodyLimits {
  readonly maxBytes: number;
  /** Asks for room in memory before more is kept. */
  readonly reserve: (bytes: number) => boolean;
}

/** Reads a request's raw bytes, within the limits. Never rejects. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, reserve }: BodyLimits,
): Promise<Body> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let size = 0;
    const drop = (why: Body): void => {
      request.off("data", keep);
      chunks = [];
      resolve(why);
    };
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) drop("too-large");
      else if (reserve(chunk.length)) chunks.push(chunk);
      else drop("over-budget");
    };
    request.on("data", keep);
    request.on("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.on("error", () => drop("aborted"));
    request.on("close", () => drop("aborted"));
  });
}
