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

  it("fails the run like any step when waiting fails", () => {
    const steps = play(messageReceived(), rulesetOf(rule("{delay: 30s}")), () => ({
      ok: false,
      error: { code: "cancelled", message: "the timer was cancelled" },
    }));

    expect(endOf(steps)).toBe("failed: actions[0]: the timer was cancelled");
  });

  it("of a range lies in it, both ends included, and is the same each time", () => {
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

  it("differs from person to person and from step to step, and uses the whole range", () => {
    const step = "{delay: {min: 1ms, max: 4ms}}";
    const ids = Array.from({ length: 200 }, (_, id) => String(id));
    const drawn = ids.flatMap((id) => delaysOf(id, step, step));
    const counts = [1, 2, 3, 4].map((ms) => drawn.filter((one) => one === ms).length);
    const differing = ids.filter((id) => new Set(delaysOf(id, step, step)).size > 1);

    expect(counts.reduce((sum, count) => sum + count)).toBe(drawn.length);
    for (const count of counts) expect(count).toBeGreaterThan(60);
    expect(differing.length).toBeGreaterThan(100);
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
