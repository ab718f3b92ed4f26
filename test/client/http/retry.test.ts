import { describe, expect, it } from "vitest";
import type { AnswerbackError } from "../../../src/errors.ts";
import { ProtocolError, UnreachableError } from "../../../src/client/errors.ts";
import { refusalOf } from "../../../src/client/http/problem.ts";
import { DEFAULT_RETRY, waitBeforeRetry } from "../../../src/client/http/retry.ts";

const NOW = 1_000_000;

function refused(status: number, safe: boolean, reset?: number): AnswerbackError {
  const headers =
    reset === undefined
      ? {}
      : {
          "x-rate-limit-limit": "15",
          "x-rate-limit-remaining": "0",
          "x-rate-limit-reset": String(reset / 1000),
        };
  const endpoint = safe ? "GET /x" : "POST /x";
  const redact = (text: string) => text;
  return refusalOf({}, { endpoint, status, headers, safe, afterUnknown: false, redact });
}

function unreachable(
  sent: "no" | "maybe",
  ended: "connection" | "timeout" | "caller",
  safe: boolean,
): AnswerbackError {
  return new UnreachableError("lost", { endpoint: "X /x", sent, ended, safe });
}

describe("a failed try", () => {
  const cases: readonly { error: AnswerbackError; waits: number | undefined; why: string }[] = [
    {
      error: refused(429, false),
      waits: 125,
      why: "a 429 was not carried out, a write may go again",
    },
    { error: refused(429, false, NOW + 5_000), waits: 5_125, why: "the window starts anew in 5 s" },
    { error: refused(429, false, NOW - 5_000), waits: 125, why: "the window has started anew" },
    {
      error: refused(429, true, NOW + 900_000),
      waits: undefined,
      why: "15 minutes are the caller's",
    },
    { error: refused(503, true), waits: 125, why: "a read does no harm twice" },
    { error: refused(503, false), waits: undefined, why: "a write may have been carried out" },
    { error: refused(408, true), waits: 125, why: "so does a read that came too slowly" },
    {
      error: refused(408, false),
      waits: undefined,
      why: "the rest of a write may have come later",
    },
    { error: refused(400, true), waits: undefined, why: "it will be refused again" },
    { error: refused(401, true), waits: undefined, why: "it will be refused again" },
    { error: unreachable("no", "connection", false), waits: 125, why: "nothing was sent" },
    {
      error: unreachable("no", "timeout", false),
      waits: 125,
      why: "it never got out of the queue",
    },
    {
      error: unreachable("maybe", "connection", false),
      waits: undefined,
      why: "a write may be done",
    },
    { error: unreachable("maybe", "timeout", true), waits: 125, why: "a read does no harm twice" },
    { error: unreachable("no", "caller", true), waits: undefined, why: "the caller wanted it so" },
    {
      error: new ProtocolError("odd", { endpoint: "GET /x", status: 200 }),
      waits: undefined,
      why: "it was carried out and would be answered so again",
    },
  ];
  it.each(cases)("waits $waits: $why", ({ error, waits }) => {
    expect(waitBeforeRetry(error, 1, DEFAULT_RETRY, NOW, () => 0.5)).toBe(waits);
  });

  it("waits up to twice as long each time, and has an end", () => {
    const error = refused(503, true);
    const longest = [1, 2, 3, 4].map((failed) =>
      waitBeforeRetry(error, failed, DEFAULT_RETRY, NOW, () => 1),
    );
    expect(longest).toEqual([250, 500, 1000, undefined]);
    const patient = { ...DEFAULT_RETRY, tries: 20 };
    expect(waitBeforeRetry(error, 15, patient, NOW, () => 1)).toBe(DEFAULT_RETRY.maxMs);
    expect(waitBeforeRetry(error, 15, patient, NOW, () => 0)).toBe(0);
  });
});
