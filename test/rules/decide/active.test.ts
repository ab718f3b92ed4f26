import { describe, expect, it, test } from "vitest";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const rule = (active: string) =>
  `rules:\n  - {id: a, triggers: [dm.received], active: ${active}, labels: [spring], actions: [{reply_dm: hi}]}\n`;

describe("a rule that is active for a limited time", () => {
  const ruleset = rulesetOf(
    rule("{from: 2026-03-01T00:00:00+01:00, to: 2026-03-31T23:59:59+02:00}"),
  );
  test.each([
    ["2026-02-28T22:59:59.999Z", "not-active"],
    ["2026-02-28T23:00:00Z", "matched"],
    ["2026-03-31T21:59:58Z", "matched"],
    ["2026-03-31T21:59:59Z", "not-active"],
  ])("decides for an event of %s: %s", (time, reason) => {
    const at = Date.parse(time);
    const verdicts = explain({ ...messageReceived(), at }, ruleset, { now: at });

    expect(verdicts.map((verdict) => verdict.reason)).toEqual([reason]);
  });

  it("uses the time of the event, not of its processing", () => {
    const at = Date.parse("2026-03-31T21:00:00Z");
    const { runs } = decide({ ...messageReceived(), at }, ruleset, { now: at + 3_600_000 });

    expect(runs).toHaveLength(1);
  });

  it("keeps its labels", () => {
    expect(ruleset.rules[0]?.labels).toEqual(["spring"]);
  });

  test.each([
    ["{}", "write from, to, or both"],
    ["{from: 2026-03-01}", "write date, time and zone"],
    ["{from: 2026-03-02T00:00:00Z, to: 2026-03-01T00:00:00Z}", "would never be active"],
  ])("%s is refused: %s", (active, message) => {
    const { problems } = compile([{ path: "a.yaml", text: `version: 1\n${rule(active)}` }]);

    expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining(message) }]);
  });
});
