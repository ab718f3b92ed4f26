import { describe, expect, it } from "vitest";
import { failuresOf } from "./support.ts";

const head = (settings: string): string => `version: 1
rule_files: [rules.yaml]
start_time: 2026-03-02T20:30:00Z
${settings}
users:
  ann: {id: "1001", name: Ann}
`;
const RULES = `
  - id: hello
    triggers: [dm.received]
    conditions: [{ message.text: { contains: hello } }]
    actions:
      - reply_dm: Hello.
      - delay: 2h
      - reply_dm: Are you still there?
`;

describe("a test of a bot with an opt-out", () => {
  const OUT = head("opt_out: {words: [stop], text: 'You hear no more.', back_text: Welcome back.}");

  it("sends nothing to a person who has opted out, and evaluates no rule", async () => {
    const failures = await failuresOf(
      RULES,
      `
      - name: stop and start
        events:
          - {at: 0s, dm.received: {from: ann, text: hello}}
          - {at: 1m, dm.received: {from: ann, text: Stop!}}
          - {at: 2m, dm.received: {from: ann, text: hello}}
          - {at: 3h, dm.received: {from: ann, text: start}}
        expect:
          - {at: 0s, reply_dm: {text: Hello.}}
          - {at: 1m, reply_dm: {text: You hear no more.}}
          - {at: 3h, reply_dm: {text: Welcome back.}}
        expect_not_run: [{at: 2m, rule: hello, because: opted-out}]
        expect_failed_runs: [{at: 2h, rule: hello, error: {contains: opted out}}]
      `,
      "",
      OUT,
    );

    expect(failures).toEqual([]);
  });

  it("reports why no rule was evaluated", async () => {
    const [failure = ""] = await failuresOf(
      RULES,
      `
      - name: wrong
        events:
          - {at: 0s, dm.received: {from: ann, text: stop}}
          - {at: 1m, dm.received: {from: ann, text: hello}}
        expect: []
      `,
      "",
      OUT,
    );

    expect(failure).toContain("no rule is asked: the message is the person's opt-out");
    expect(failure).toContain("no rule is asked: the person has opted out");
  });

  it("evaluates rules as usual if there is no opt-out", async () => {
    const failures = await failuresOf(
      RULES,
      `
      - name: stop is a word
        events: [{dm.received: {from: ann, text: stop hello}}]
        expect: [{reply_dm: {text: Hello.}}, {at: 2h, reply_dm: {text: Are you still there?}}]
      `,
    );

    expect(failures).toEqual([]);
  });
});

describe("a test with quiet hours", () => {
  const QUIET = head("quiet_hours: {zone: Etc/UTC, times: ['22:00-07:00']}");

  it("sends unawaited answers after the quiet hours", async () => {
    const failures = await failuresOf(
      RULES,
      `
      - name: in the evening
        events: [{dm.received: {from: ann, text: hello}}]
        expect:
          - {at: 0s, reply_dm: {text: Hello.}}
          - {at: 630m, reply_dm: {text: Are you still there?}}
      `,
      "",
      QUIET,
    );

    expect(failures).toEqual([]);
  });

  it("reports answers that quiet hours held", async () => {
    const [failure = ""] = await failuresOf(
      RULES,
      `
      - name: wrong
        events: [{dm.received: {from: ann, text: hello}}]
        expect: []
      `,
      "",
      QUIET,
    );

    expect(failure).toContain("reply_dm is held back: quiet hours");
  });
});
