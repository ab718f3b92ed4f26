import { describe, expect, it } from "vitest";
import { Course } from "../../src/insight/tests/course.ts";
import { entryOf } from "../../src/insight/rehearsal/rehearsal.ts";
import { NOTHING } from "../../src/runtime/runs/lane-event.ts";
import { messageReceived } from "../support/events.ts";
import { ruleWith } from "../rules/support/compiling.ts";
import { FALLBACK, failuresOf, HOURS, reports, runTests } from "./support.ts";

describe("tests of rules", () => {
  it("fail for an unexpected output, and for a missing one", async () => {
    const [unexpected, unmet] = reports(
      await runTests(
        HOURS + FALLBACK,
        `
        - name: nothing is said
          events: [{dm.received: {from: ann, text: hello}}]
        - name: the hours are told
          events: [{dm.received: {from: ann, text: hello}}]
          expect: [{at: 2s, rule: hours, reply_dm: {to: ann}}]
        `,
      ),
    );

    expect(unexpected).toContain("(not expected)");
    expect(unmet).toContain(
      '✗ 2s    hours reply_dm to ann | 0s    fallback reply_dm to ann, text "Sorry?"',
    );
  });

  it("show the actual output below the expected one on a narrow terminal", async () => {
    const outcome = await runTests(
      FALLBACK,
      `
      - name: the hours are told
        events: [{dm.received: {from: ann, text: hello}}]
        expect: [{at: 2s, reply_dm: {to: ann}}]
      `,
    );

    expect(reports(outcome, 60).join("")).toContain(
      [
        "  ✗ expected 2s    reply_dm to ann",
        '    actual   0s    fallback reply_dm to ann, text "Sorry?"',
      ].join("\n"),
    );
  });

  it("show each event, the verdict of each rule with its failed clause, and each step", async () => {
    const [report] = reports(
      await runTests(
        HOURS + FALLBACK,
        `
        - name: nothing is said
          events: [{at: 5s, dm.received: {from: ann, text: hello}}]
        `,
      ),
    );

    expect(report?.split("what happened\n")[1]?.trimEnd()).toBe(
      [
        '    5s     dm.received from @ann: "hello"',
        '             hours: no match: wants the word "hours", the message is "hello"',
        "             fallback ran",
        '    5s       sends 5s    fallback reply_dm to ann, text "Sorry?"',
        "    5s       fallback ends",
      ].join("\n"),
    );
  });

  it("show the rules and branches that no test has run", async () => {
    const { coverage } = await runTests(
      `
      - id: branches
        triggers: [dm.received]
        actions:
          - if: message.text == "a"
            then: [{reply_dm: A}]
            else: [{reply_dm: B}]
      - id: other
        triggers: [user.followed]
        actions: [{reply_dm: hi}]
      `,
      `
      - name: a
        events: [{dm.received: {from: ann, text: a}}]
        expect: [{reply_dm: {text: A}}]
      `,
    );

    expect(coverage).toMatchObject([
      { rule: "branches", ran: true, branches: 2, missed: ["actions[0].else"] },
      { rule: "other", ran: false },
    ]);
  });
});

it("the report of a test shows each condition of a step that was evaluated, with what it read", async () => {
  const [report = ""] = await failuresOf(
    `
    - id: order
      triggers: [dm.received]
      conditions: [{ message.text: { contains_word: order } }]
      actions:
        - id: sure
          ask: { text: "Sure?", within: 15m, retries: 1, expect: { in: [yes, no] } }
        - if: steps.sure.text == "yes"
          then: [{ reply_dm: Ordered. }]
    `,
    `
    - name: a yes orders
      events:
        - { at: 0s, dm.received: { from: ann, text: order } }
        - { at: 1s, dm.received: { from: ann, text: what } }
        - { at: 2s, dm.received: { from: ann, text: "Yes" } }
      expect:
        - reply_dm: { text: "Sure?" }
        - reply_dm: { text: "Sure?" }
        - reply_dm: { text: Ordered. }
    `,
  );

  expect(report).toContain(
    "order refuses it as an answer to sure: it wants message.text in yes|no",
  );
  expect(report).toContain("order takes it as an answer");
  expect(report).toContain(
    'order actions[1] if steps.sure.text == "yes": false (steps.sure.text = "Yes")',
  );
});

it("a matching rule that the decision did not start is a fault of the test", () => {
  const ruleset = ruleWith("[]");
  const event = messageReceived({ text: "hello" });
  const course = new Course(ruleset, () => event, event.at);
  const entry = { ...entryOf(event, event.at, "{}"), seq: 1, partition: 0 };
  const decision = { revision: ruleset.revision, ran: [] };
  course.onTakenIn(
    { kind: "event", entry, listeners: [] },
    { ...NOTHING, decision },
    { at: event.at, state: new Map() },
  );

  expect(course.happenings).toContainEqual({
    at: event.at,
    kind: "fault",
    text: "rule a matches, but was not started: please report this error of Answerback",
  });
});
