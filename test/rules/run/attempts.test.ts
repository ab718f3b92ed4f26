import { describe, expect, it, test } from "vitest";
import { decide } from "../../../src/rules/decide/decide.ts";
import { advance, type Next, settle } from "../../../src/rules/run/advance.ts";
import { timeUp } from "../../../src/rules/run/listen.ts";
import type { StepResult } from "../../../src/rules/run/run-state.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const FAILED: StepResult = { ok: false, error: { code: "http-timeout", message: "no answer" } };
const failures = (count: number) => Array.from({ length: count }, () => FAILED);
const OK: StepResult = { ok: true, result: 7 };

/** Plays a rule whose first step ends with each of `results` in turn; time advances with each pause. */
function tries(step: string, results: readonly StepResult[], frame = ""): string[] {
  const ruleset = rulesetOf(
    `rules: [{id: a, triggers: [dm.received], actions: [${step}, {reply_dm: "then"}]${frame}}]`,
  );
  const event = messageReceived();
  const rule = ruleset.rules[0];
  let [state] = decide(event, ruleset, { now: event.at }).runs;
  const seen: string[] = [];
  let now = event.at;
  const remaining = [...results];
  if (rule === undefined) throw new Error("there is no rule");
  while (state !== undefined) {
    const { run, next } = advance(JSON.parse(JSON.stringify(state)), rule, { now });
    expect(advance(run, rule, { now }).next).toEqual(next);
    seen.push(said(next));
    if (next.kind === "done") break;
    if (next.kind === "timer") {
      now += next.delayMs;
      state = timeUp(run, rule);
    } else state = settle(run, rule, remaining.shift() ?? OK);
  }
  return seen;
}

function said(next: Next): string {
  if (next.kind === "done") return `${next.end.outcome}: ${next.end.reason}`;
  const attempt = next.attempt === undefined ? "" : ` ${next.attempt}`;
  if (next.kind === "timer") return `wait ${next.delayMs}${attempt}`;
  return next.kind === "action" && "text" in next.action
    ? `say ${next.action.text}${attempt}`
    : `${next.kind}${attempt}`;
}

const HTTP = "http: {url: 'https://a.example/b'}";

describe("a step with retry", () => {
  it("is tried until it succeeds, with its pause in between", () => {
    const step = `{${HTTP}, retry: {attempts: 3, backoff: 500ms}}`;

    expect(tries(step, [FAILED, FAILED, OK])).toEqual([
      "http",
      "wait 500",
      "http 2",
      "wait 500 2",
      "http 3",
      "say then",
      "finished: all steps are done",
    ]);
  });

  it("is not tried again after a part of its text is sent", () => {
    const step = "{reply_dm: long, retry: {attempts: 3, backoff: 1s}, continue_on_error: true}";

    expect(tries(step, [{ ...FAILED, ids: ["1"] }])).toEqual([
      "say long",
      "say then",
      "finished: all steps are done",
    ]);
  });

  it("fails after its last attempt, and its on_error runs", () => {
    const step = `{${HTTP}, retry: {attempts: 2, backoff: 1s}, on_error: [{reply_dm: "\${{ error.message }}"}]}`;

    expect(tries(step, [FAILED, FAILED]).slice(2)).toEqual([
      "http 2",
      "say no answer",
      "say then",
      "finished: all steps are done",
    ]);
  });

  test.each([
    { retryAfterMs: 30_000, wait: 30_000 },
    { retryAfterMs: 100, wait: 500 },
    { retryAfterMs: 86_400_000, wait: 3_600_000 },
  ])("waits $wait ms if the service asks for $retryAfterMs ms", ({ retryAfterMs, wait }) => {
    const step = `{${HTTP}, retry: {attempts: 2, backoff: 500ms}}`;
    const failed: StepResult = { ...FAILED, status: 429, retryAfterMs };

    expect(tries(step, [failed])[1]).toBe(`wait ${wait}`);
  });

  it("fails at once if the service asks for a longer pause than give_up_after", () => {
    const step = `{${HTTP}, retry: {attempts: 2, backoff: 500ms, give_up_after: 20s}}`;

    expect(tries(step, [{ ...FAILED, status: 429, retryAfterMs: 30_000 }])).toEqual([
      "http",
      "failed: actions[0]: no answer",
    ]);
  });

  it("doubles the pause each time, with some jitter, unless the pause is set", () => {
    const waits = tries(`{${HTTP}, retry: {attempts: 6}}`, failures(6))
      .filter((one) => one.startsWith("wait"))
      .map((one) => Number(one.split(" ")[1]));

    expect(waits).toHaveLength(5);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(1_000 * 2 ** index);
    }
  });

  it("starts no attempt later than give_up_after", () => {
    const step = `{${HTTP}, retry: {attempts: 9, backoff: 10s, give_up_after: 25s}}`;

    expect(tries(step, failures(9))).toEqual([
      "http",
      "wait 10000",
      "http 2",
      "wait 10000 2",
      "http 3",
      "failed: actions[0]: no answer",
    ]);
  });

  it("has a separate key for each attempt", () => {
    const step = "{reply_dm: hi, retry: {attempts: 2, backoff: 1s}}";
    const refused: StepResult = {
      ok: false,
      error: { code: "send-expired", message: "its time is over" },
    };

    expect(tries(step, [refused]).slice(0, 3)).toEqual(["say hi", "wait 1000", "say hi 2"]);
  });

  const refused = (status: number): StepResult => ({
    ok: false,
    status,
    error: { code: "http-status", message: `answered with ${status}` },
  });
  test.each([
    { status: 400, again: false, why: "the request is wrong" },
    { status: 404, again: false, why: "there is nothing" },
    { status: 408, again: true, why: "the service had no time" },
    { status: 429, again: true, why: "the service had too much to do" },
    { status: 500, again: true, why: "the service failed" },
    { status: 503, again: true, why: "the service is away" },
  ])("is tried again after $status: $again, since $why", ({ status, again }) => {
    const steps = tries(`{${HTTP}, retry: {attempts: 2, backoff: 1s}}`, [refused(status)]);

    expect(steps.includes("http 2")).toBe(again);
  });

  it("is not tried again if its host is not allowed", () => {
    const result: StepResult = { ok: false, error: { code: "http-not-allowed", message: "no" } };

    expect(tries(`{${HTTP}, retry: {attempts: 2}}`, [result])).toEqual([
      "http",
      "failed: actions[0]: no",
    ]);
  });

  it("continues with the next step if it may fail", () => {
    const step = `{${HTTP}, retry: {attempts: 2, backoff: 1s}, continue_on_error: true}`;

    expect(tries(step, [FAILED, FAILED]).slice(-2)).toEqual([
      "say then",
      "finished: all steps are done",
    ]);
  });
});
