import type { IncomingMessage } from "node:http";
import { ApiError } from "../kernel/http/api-error.ts";

const MIB = 1024 * 1024;

/** Maximum size of a body, in bytes, by default. */
export const ORDINARY_BYTES = MIB;

/** Maximum total size, in bytes, of the bodies in memory, without bodies of control requests. */
const TOGETHER_BYTES = 64 * MIB;

/** Number of bytes of a body that must arrive within each deadline period. */
const BYTES_PER_DEADLINE = 16 * MIB;

/** Limits for reading the body of a request. */
export interface BodyRules {
  readonly maxBytes: number;
  /** Milliseconds of real time within which the first 16 MiB must arrive; each further 16 MiB get the same time. */
  readonly deadlineMs: number;
  /** Whether the body counts against the total size of all bodies. */
  readonly counted: boolean;
}

/** A body in memory. */
export interface HeldBody {
  readonly raw: Buffer;
  /** Frees the body's share of the total size; must be called once the request is answered. */
  readonly release: () => void;
}

/** Reads request bodies. Limits the size and time of each body, and the total size of all bodies in memory. */
export class BodyReader {
  readonly #max: number;
  #held = 0;

  /** @param max Maximum total size of the counted bodies, in bytes. */
  constructor(max = TOGETHER_BYTES) {
    this.#max = max;
  }

  /**
   * Reads a body to its end.
   *
   * Reading stops once the body is refused; the connection stays open for the response.
   *
   * @throws {ApiError} 413 if the body is too large, 408 if it arrives too slowly, 503 if the total size is exceeded.
   */
  read(request: IncomingMessage, rules: BodyRules): Promise<HeldBody> {
    if (Number(request.headers["content-length"] ?? 0) > rules.maxBytes) {
      return Promise.reject(tooLarge(rules.maxBytes));
    }
    if (!hasBody(request)) return Promise.resolve(NO_BODY);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const release = (): void => {
        if (rules.counted) this.#held -= size;
        size = 0;
      };
      const end = (): void => {
        clearTimeout(timer);
        request.off("data", take).off("end", finish).off("error", fail).off("close", cut);
      };
      const fail = (error: unknown): void => {
        end();
        release();
        // The rest of the body is discarded on arrival.
        request.resume();
        reject(error instanceof Error ? error : new Error(String(error)));
      };
      const startTimer = (): NodeJS.Timeout =>
        setTimeout(() => fail(tooSlow(rules.deadlineMs)), rules.deadlineMs);
      let timer = startTimer();
      const take = (chunk: Buffer): void => {
        const before = Math.floor(size / BYTES_PER_DEADLINE);
        size += chunk.length;
        if (rules.counted) this.#held += chunk.length;
        if (size > rules.maxBytes) return fail(tooLarge(rules.maxBytes));
        if (rules.counted && this.#held > this.#max) return fail(tooMany());
        chunks.push(chunk);
        if (Math.floor(size / BYTES_PER_DEADLINE) === before) return;
        clearTimeout(timer);
        timer = startTimer();
      };
      const finish = (): void => {
        end();
        resolve({ raw: Buffer.concat(chunks), release });
      };
      const cut = (): void => fail(new Error("the connection ended within the body"));
      request.on("data", take).once("end", finish).once("error", fail).once("close", cut);
    });
  }
}

const NO_BODY: HeldBody = { raw: Buffer.alloc(0), release: () => undefined };

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function tooLarge(max: number): ApiError {
  return new ApiError({
    status: 413,
    code: "payload_too_large",
    title: "Payload Too Large",
    message: `The request body is larger than ${max} bytes.`,
    headers: { connection: "close" },
  });
}

function tooSlow(ms: number): ApiError {
  return new ApiError({
    status: 408,
    code: "request_timeout",
    title: "Request Timeout",
    message: `The request body did not arrive within ${ms} ms.`,
    headers: { connection: "close" },
  });
}

function tooMany(): ApiError {
  return new ApiError({
    status: 503,
    code: "over_capacity",
    title: "Service Unavailable",
    message: "Too many large requests are under way; send this one again.",
    v1: 130,
    headers: { connection: "close", "retry-after": "1" },
  });
}
