import { describe, expect, it } from "vitest";
import { failureReport } from "../../src/rule-tests/report.ts";
import { runTests } from "./support.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };

/** The reports of the tests of `tests` that have failed. */
async function failuresOf(rules: string, tests: string): Promise<readonly string[]> {
  const outcome = await runTests(rules, tests);
  expect(outcome.problems).toEqual([]);
  return outcome.tests.flatMap((one) => (one.passed ? [] : [failureReport(one, one.of, PAINT)]));
}

describe("a reminder", () => {
  const REMIND = `
    - id: remind
      triggers: [dm.received]
      conditions:
        - message.text: {matches: '^remind me in (?P<time>.+?) to (?P<what>.+)'}
      mode: parallel
      actions:
        - delay: \${{ captures.time }}
          on_error:
            - reply_dm: "I don't know how long that is."
            - stop: no time
        - reply_dm: "Remember: \${{ captures.what }}"
  `;

  it("comes after the time that the person writes", async () => {
    const failures = await failuresOf(
      REMIND,
      `
      - name: three of them
        events:
          - {at: 0s, dm.received: {from: ann, text: "Remind me in 2 hours to call Ben"}}
          - {at: 1m, dm.received: {from: ann, text: "remind me in 10 min to eat"}}
          - {at: 2m, dm.received: {from: ben, text: "remind me in 1 day to sleep"}}
        expect:
          - {at: 2h, reply_dm: {to: ann, text: "Remember: call Ben"}}
          - {at: 11m, reply_dm: {to: ann, text: "Remember: eat"}}
          - {at: 1442m, reply_dm: {to: ben, text: "Remember: sleep"}}
        expect_open_runs: []
      - name: one without a time
        events: [{dm.received: {from: ann, text: "remind me in a while to call Ben"}}]
        expect: [{at: 0s, reply_dm: {text: "I don't know how long that is."}}]
        expect_open_runs: []
      `,
    );

    expect(failures).toEqual([]);
  });

  it("comes at the time that an expression gives", async () => {
    const failures = await failuresOf(
      `
      - id: tomorrow
        triggers: [dm.received]
        actions:
          - delay_until: \${{ timestamp(now) + duration("36h") }}
          - reply_dm: Did it work?
          - delay_until: 2026-03-01T00:00:00Z
          - reply_dm: This time is over.
      `,
      `
      - name: a day and a half later
        events: [{dm.received: {from: ann, text: hello}}]
        expect:
          - {at: 36h, reply_dm: {text: Did it work?}}
          - {at: 36h, reply_dm: {text: This time is over.}}
      `,
    );

    expect(failures).toEqual([]);
  });
});
