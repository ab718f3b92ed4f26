import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

const rule = (...steps: string[]) =>
  `rules: [{id: a, triggers: [dm.received], actions: [${steps.join(", ")}]}]`;
const delaysOf = (id: string, ...steps: string[]) =>
  play(messageReceived({ id }), rulesetOf(rule(...steps))).flatMap((next) =>
    next.kind === "timer" ? [next.delayMs] : [],
  );

describe("delay", () => {
  it("waits before the next step", () => {
    const steps = play(messageReceived(), rulesetOf(rule("{delay: 30s}", "{reply_dm: late}")));

    expect(steps[0]).toEqual({ kind: "timer", path: "actions[0]", delayMs: 30_000 });
    expect(actionsOf(steps)).toEqual([{ type: "reply_dm", to: "200", text: "late" }]);
  });

  it("fails the run, like any step, if waiting fails", () => {
    const steps = play(messageReceived(), rulesetOf(rule("{delay: 30s}")), () => ({
      ok: false,
      error: { code: "cancelled", message: "the timer was cancelled" },
    }));

    expect(endOf(steps)).toBe("failed: actions[0]: the timer was cancelled");
  });

  it("lies in its range, both ends included, and is the same each time", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), fc.nat(50), (id, spread) => {
        const step = `{delay: {min: 10ms, max: ${10 + spread}ms}}`;
        const [first] = delaysOf(String(id), step);

        expect(first).toBeGreaterThanOrEqual(10);
        expect(first).toBeLessThanOrEqual(10 + spread);
        expect(delaysOf(String(id), step)).toEqual([first]);
      }),
    );
  });

  it("differs between people and between steps, and uses the whole range", () => {
    const step = "{delay: {min: 1ms, max: 4ms}}";
    const ids = Array.from({ length: 200 }, (_, id) => String(id));
    const drawn = ids.flatMap((id) => delaysOf(id, step, step));
    const counts = [1, 2, 3, 4].map((ms) => drawn.filter((one) => one === ms).length);
    const differing = ids.filter((id) => new Set(delaysOf(id, step, step)).size > 1);

    expect(counts.reduce((sum, count) => sum + count)).toBe(drawn.length);
    for (const count of counts) expect(count).toBeGreaterThan(60);
    expect(differing.length).toBeGreaterThan(100);
  });

  const REMIND =
    "rules: [{id: a, triggers: [dm.received], conditions: [{message.text: {matches: '^remind me in (?P<time>.+?) to (?P<what>.+)'}}], variables: {minutes: '${{ 90 }}'}, actions: [STEP, {reply_dm: late}]}]";
  const remind = (step: string, text: string) =>
    play(messageReceived({ text }), rulesetOf(REMIND.replace("STEP", step)));

  test.each([
    { step: '{delay: "${{ captures.time }}"}', time: "2 hours", ms: 7_200_000 },
    { step: '{delay: "${{ captures.time }}"}', time: "10 Min", ms: 600_000 },
    { step: '{delay: "${{ captures.time }}"}', time: "0s", ms: 0 },
    { step: '{delay: "${{ captures.time }}"}', time: "36500 days", ms: 36_500 * 86_400_000 },
    { step: '{delay: "${{ captures.time }}h"}', time: "3", ms: 10_800_000 },
    { step: '{delay: "${{ vars.minutes * 60 }}s"}', time: "x", ms: 5_400_000 },
    {
      step: '{delay: {min: "${{ captures.time }}", max: "${{ captures.time }}"}}',
      time: "1d",
      ms: 86_400_000,
    },
  ])("lasts as long as its expression says: $step of $time", ({ step, time, ms }) => {
    const [first, second] = remind(step, `Remind me in ${time} to call`);

    expect(first).toEqual({ kind: "timer", path: "actions[0]", delayMs: ms });
    expect(second).toMatchObject({ kind: "action" });
  });

  test.each([
    { time: "soon", error: '"soon" is not a duration' },
    { time: "5", error: '"5" is not a duration' },
    { time: "2 months", error: '"2 months" is not a duration' },
    { time: "-2 hours", error: '"-2 hours" is not a duration' },
    { time: "36501 days", error: '"36501 days" is too long: at most 36500d' },
    { time: "999999999 weeks", error: '"999999999 weeks" is too long' },
  ])("fails if an expression gives no duration: $time", ({ time, error }) => {
    const steps = remind('{delay: "${{ captures.time }}"}', `remind me in ${time} to call`);

    expect(steps).toHaveLength(1);
    expect(endOf(steps)).toContain(`failed: actions[0]: ${error}`);
  });

  it("fails if the minimum is longer than the maximum", () => {
    const step = '{delay: {min: "${{ captures.time }}", max: 1m}}';

    expect(endOf(remind(step, "remind me in 2 min to call"))).toBe(
      "failed: actions[0]: min comes to 120000 ms, which is longer than max, 60000 ms",
    );
    expect(remind(step, "remind me in 1 min to call")[0]).toMatchObject({ delayMs: 60_000 });
  });

  test.each([
    {
      why: "the ends the wrong way round",
      step: "{delay: {min: 4m, max: 30s}}",
      problem: { code: "delay-range", help: "write  delay: {min: 30s, max: 4m}" },
    },
    { why: "no unit", step: "{delay: 30}", problem: { code: "invalid-value" } },
    { why: "half a range", step: "{delay: {min: 30s}}", problem: { code: "missing-key" } },
    {
      why: "a text of another step",
      step: "{delay: 30s, with: {a: 1}}",
      problem: { code: "unknown-key" },
    },
  ])("is refused: $why", ({ step, problem }) => {
    const { problems } = compile([{ path: "a.yaml", text: `version: 1\n${rule(step)}` }]);

    expect(problems).toMatchObject([problem]);
  });
});

describe("delay_until", () => {
  const until = (value: string) =>
    play(messageReceived(), rulesetOf(rule(`{delay_until: ${value}}`, "{reply_dm: late}")));
  const { at } = messageReceived();
  const isoIn = (ms: number) => JSON.stringify(new Date(at + ms).toISOString());

  test.each([
    { why: "a written time", value: isoIn(90_000), ms: 90_000 },
    {
      why: "a time of another zone",
      value: '"2099-01-01T00:00:00+01:00"',
      ms: Date.parse("2098-12-31T23:00:00Z") - at,
    },
    { why: "a time that is over", value: isoIn(-1), ms: 0 },
    { why: "now", value: '"${{ now }}"', ms: 0 },
    {
      why: "a time of an expression",
      value: `"\${{ timestamp(now) + duration('90m') }}"`,
      ms: 5_400_000,
    },
    {
      why: "a text of an expression",
      value: `"\${{ message.text == '' ? now : '2099-01-01T00:00:00Z' }}"`,
      ms: Date.parse("2099-01-01T00:00:00Z") - at,
    },
  ])("waits up to $why", ({ value, ms }) => {
    const steps = until(value);

    expect(steps[0]).toEqual({ kind: "timer", path: "actions[0]", delayMs: ms });
    expect(actionsOf(steps)).toHaveLength(1);
  });

  test.each([
    { value: '"${{ sender.name }}"', error: "is not a time" },
    { value: `"\${{ message.text + '2026-01-01' }}"`, error: "is not a time" },
    { value: '"9000-01-01T00:00:00Z"', error: "too far away: at most 36500d" },
  ])("fails if there is no such time: $value", ({ value, error }) => {
    const steps = until(value);

    expect(steps).toHaveLength(1);
    expect(endOf(steps)).toContain(error);
  });
});
