import { describe, expect, it } from "vitest";
import { Budget } from "../../../../src/runtime/outbox/gate/budget.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const NOW = 1_000_000_000;

const budget = () => new Budget({ limit: 3, windowMs: QUARTER, per: "account" });
const reported = (remaining: number, resetAt = NOW + QUARTER, limit = 3) => ({
  rateLimit: { limit, remaining, resetAt },
});

/** Returns the number of requests that the budget allows at this time, up to 99. */
function going(of: Budget, now = NOW): number {
  let count = 0;
  for (; count < 99 && of.ask(now).kind === "go"; count++) of.began(now);
  return count;
}

describe("the budget of a limit", () => {
  it("lets one request go until the first response reports the remaining quota", () => {
    const unknown = budget();
    expect(going(unknown)).toBe(1);
    unknown.ended(reported(2));

    expect(going(unknown)).toBe(2);
  });

  it("prefers the platform's report to the table", () => {
    const generous = budget();
    generous.began(NOW);
    generous.ended(reported(50, NOW + QUARTER, 51));

    expect(going(generous)).toBe(50);
  });

  it("waits for the reset when the quota is used up", () => {
    const empty = budget();
    empty.began(NOW);
    empty.ended(reported(0, NOW + 5 * MINUTE));

    expect(empty.ask(NOW)).toMatchObject({ kind: "wait", until: NOW + 5 * MINUTE + 1_000 });
    expect(empty.ask(NOW + 5 * MINUTE + 1_000)).toEqual({ kind: "go" });
  });

  it("keeps the lower quota of two responses that arrive out of order", () => {
    const overtaken = budget();
    for (const remaining of [0, 1]) {
      overtaken.began(NOW);
      overtaken.ended(reported(remaining));
    }

    expect(overtaken.ask(NOW).kind).toBe("wait");
  });

  it("allows a whole window of requests after a reset", () => {
    const reset = budget();
    reset.began(NOW);
    reset.ended(reported(0, NOW + MINUTE));

    expect(going(reset, NOW + 2 * MINUTE)).toBe(3);
  });

  it("counts by the table if responses report no limit", () => {
    const silent = budget();
    silent.began(NOW);
    silent.ended({ rateLimit: undefined });
    expect(going(silent, NOW + MINUTE)).toBe(2);

    expect(silent.ask(NOW + MINUTE)).toMatchObject({ kind: "wait", until: NOW + QUARTER });
    expect(silent.ask(NOW + QUARTER)).toEqual({ kind: "go" });
  });

  it("learns nothing from a request without an answer", () => {
    const unanswered = budget();
    unanswered.began(NOW);
    unanswered.ended(undefined);

    expect(going(unanswered)).toBe(1);
  });

  it.each([
    { by: 5 * 60 * MINUTE, why: "hours" },
    { by: 10 * MINUTE, why: "less than a window" },
  ])("waits no longer than planned when the clock is set back by $why", ({ by }) => {
    const empty = budget();
    empty.began(NOW);
    empty.ended(reported(0, NOW + 5 * MINUTE));
    empty.setBack(by);

    expect(empty.ask(NOW - by).kind).toBe("wait");
    expect(empty.ask(NOW - by + 5 * MINUTE + 1_000)).toEqual({ kind: "go" });
  });

  it("forgets a window that ends later than any window can", () => {
    const odd = budget();
    odd.remember({ limit: 3, remaining: 0, resetAt: NOW + 3 * QUARTER });

    expect(odd.ask(NOW)).toEqual({ kind: "go" });
  });

  it("restores the quota that an earlier process received", () => {
    const restarted = budget();
    restarted.remember({ limit: 3, remaining: 0, resetAt: NOW + MINUTE });

    expect(restarted.ask(NOW).kind).toBe("wait");
  });
});
