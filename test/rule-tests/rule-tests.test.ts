import { describe, expect, it } from "vitest";
import { FALLBACK, failuresOf, HOURS, reports, runTests } from "./support.ts";

describe("tests of rules", () => {
  it("pass if every output is expected at its time, and take no real time", async () => {
    const outcome = await runTests(
      HOURS + FALLBACK,
      `
      - name: once in ten minutes
        events:
          - {at: 0s, dm.received: {from: ann, text: "your hours?"}}
          - {at: 1m, dm.received: {from: ann, text: "hours??"}}
          - {at: 11m, dm.received: {from: ann, text: "hours again"}}
        expect:
          - {at: 2s, rule: hours, reply_dm: {to: ann, text: {contains: "9:00"}}}
          - {at: 662s, rule: hours, reply_dm: {to: ann, text: "We're open 9:00-17:30."}}
        expect_not_run:
          - {at: 1m, rule: hours, because: cooldown}
          - {at: 1m, rule: fallback, because: group-already-matched}
        expect_open_runs: []
      `,
    );

    // the events span eleven minutes of virtual time
    expect(reports(outcome)).toEqual(["passed"]);
  });

  it("assign an answer to the expectation that needs it, not to the first that fits", async () => {
    const outcome = await runTests(
      `
      - id: one
        group: none
        triggers: [dm.received]
        actions: [{reply_dm: first}, {reply_dm: second}]
      `,
      `
      - name: loose before strict
        events: [{dm.received: {from: ann, text: hello}}]
        expect: [{reply_dm: {}}, {reply_dm: {text: first}}]
      `,
    );

    expect(reports(outcome)).toEqual(["passed"]);
  });

  it.each([
    {
      written: "rule: hours, because: condition",
      message: "because: cooldown; expected: condition",
    },
    { written: "rule: fallback, at: 1s", message: "fallback was not asked at 1s" },
  ])("say what is wrong with expect_not_run {$written}", async ({ written, message }) => {
    const [report] = reports(
      await runTests(
        HOURS + FALLBACK,
        `
        - name: twice
          events:
            - {dm.received: {from: ann, text: hours}}
            - {at: 1m, dm.received: {from: ann, text: hours}}
          expect: [{reply_dm: {}}]
          expect_not_run: [{${written.includes("at:") ? written : `${written}, at: 1m`}}]
        `,
      ),
    );

    expect(report).toContain(message);
  });

  const ASKING = `
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: order}]
    actions: [{ask: {text: Which number?, within: 1h}}, {reply_dm: Thanks.}]
  - id: help
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: help}]
    actions: [{reply_dm: Help.}]
  - id: followed
    triggers: [user.followed]
    actions: [{reply_dm: Welcome.}]
`;

  it.each([
    { written: "rule: hours", message: "passed" },
    { written: "rule: order, because: taken-as-answer", message: "passed" },
    { written: "rule: help, because: condition", message: "passed" },
    {
      written: "rule: hours, because: condition",
      message: "hours did not run at 1m, because: taken-as-answer; expected: condition",
    },
    { written: "rule: followed", message: "followed was not asked at 1m: no event there" },
  ])("know that a run takes a message as its answer: {$written}", async (row) => {
    const [report] = reports(
      await runTests(
        HOURS + ASKING,
        `
        - name: an answer
          events:
            - {dm.received: {from: ann, text: order}}
            - {at: 1m, dm.received: {from: ann, text: what hours}}
          expect: [{reply_dm: {text: Which number?}}, {reply_dm: {text: Thanks.}}]
          expect_not_run: [{at: 1m, ${row.written}}]
        `,
      ),
    );

    expect(report).toContain(row.message);
  });

  it("know that a message of a group is for no rule", async () => {
    const test = (because: string): string => `
      - name: in a group
        events: [{dm.received: {from: ann, text: hours, conversation: "1585094756761149440"}}]
        expect_not_run: [{rule: hours, because: ${because}}]
    `;

    expect(reports(await runTests(HOURS, test("other-conversation")))).toEqual(["passed"]);
    expect(reports(await runTests(HOURS, test("opted-out")))[0]).toContain(
      "hours did not run, because: other-conversation; expected: opted-out",
    );
  });

  it("can expect open runs, and where they wait", async () => {
    const outcome = await runTests(
      `
      - id: later
        triggers: [user.followed]
        actions: [{id: pause, delay: 1h}, {reply_dm: welcome}]
      `,
      `
      - name: it waits
        events: [{user.followed: {from: ben}}]
        advance_to: 10m
        expect_open_runs: [{rule: later, waiting_at: pause}]
      - name: it does not say so
        events: [{user.followed: {from: ben}}]
        advance_to: 10m
        expect_open_runs: []
      - name: time goes on through a delay by itself
        events: [{user.followed: {from: ben}}]
        expect: [{at: 1h, reply_dm: {to: ben, text: welcome}}]
        expect_open_runs: []
      `,
    );

    const [waits, unsaid, goesOn] = reports(outcome);
    expect([waits, goesOn]).toEqual(["passed", "passed"]);
    expect(unsaid).toContain("a run of later is still open: it waits at pause");
  });

  it("count parallel branches as one run, which waits at the steps of all branches", async () => {
    const outcome = await runTests(
      `
      - id: order
        triggers: [dm.received]
        actions:
          - id: both
            parallel:
              reminder: [{id: pause, delay: 10m}, {reply_dm: Still there?}]
              size: [{id: size, ask: {text: "Which size?", within: 1h}}]
              stock: [{id: stock, http: {url: "https://shop.example.test/"}}]
          - reply_dm: "\${{ steps.size.text }}, \${{ steps.stock.json.left }} left"
      `,
      `
      - name: the branches in their time
        http: [{match: {url: "https://shop.example.test/"}, respond: {status: 200, json: {left: 3}}}]
        events:
          - {dm.received: {from: ann, text: hi}}
          - {at: 11m, dm.received: {from: ann, text: large}}
        expect:
          - {at: 0s, http: {}}
          - {at: 0s, reply_dm: {text: "Which size?"}}
          - {at: 10m, reply_dm: {text: Still there?}}
          - {at: 11m, reply_dm: {text: "large, 3 left"}}
        expect_open_runs: []
      - name: it waits at each of them
        http: [{match: {url: "https://shop.example.test/"}, respond: {status: 200, json: {left: 3}}}]
        events: [{dm.received: {from: ann, text: hi}}]
        expect: [{http: {}}, {reply_dm: {text: "Which size?"}}]
        advance_to: 1m
        expect_open_runs: [{rule: order, waiting_at: size}]
      - name: it does not say so
        http: [{match: {url: "https://shop.example.test/"}, respond: {status: 200, json: {left: 3}}}]
        events: [{dm.received: {from: ann, text: hi}}]
        expect: [{http: {}}, {reply_dm: {text: "Which size?"}}]
        advance_to: 1m
        expect_open_runs: []
      `,
    );

    const [all, waits, unsaid] = reports(outcome);
    expect([all, waits]).toEqual(["passed", "passed"]);
    expect(unsaid).toContain("a run of order is still open: it waits at both, pause, size");
  });

  it("can expect hand-overs, and see that the bot is silent afterwards", async () => {
    const outcome = await runTests(
      `
      - id: hello
        triggers: [dm.received]
        conditions: [{message.text: {contains_word: hello}}]
        actions: [{reply_dm: Hello!}]
      - id: human
        interrupts: true
        triggers: [dm.received]
        conditions: [{message.text: {contains_word: human}}]
        actions: [{escalate: {queue: support, note: "\${{ message.text }}", pause_bot: {for: 1h}}}]
      `,
      `
      - name: a person takes over for an hour
        events:
          - {at: 0s, dm.received: {from: ann, text: hello human}}
          - {at: 30m, dm.received: {from: ann, text: hello}}
          - {at: 31m, dm.received: {from: ben, text: hello}}
          - {at: 61m, dm.received: {from: ann, text: hello}}
        expect:
          - {at: 0s, rule: human, escalate: {queue: support, priority: normal, note: {contains: human}}}
          - {at: 31m, reply_dm: {to: ben}}
          - {at: 61m, reply_dm: {to: ann}}
        expect_not_run:
          - {at: 0s, rule: hello, because: paused}
          - {at: 30m, rule: hello, because: paused}
      - name: and is not expected
        events: [{dm.received: {from: ann, text: human}}]
      `,
    );

    const [passed, unexpected] = reports(outcome);
    expect(passed).toBe("passed");
    expect(unexpected).toMatch(/\(not expected\) +\| 0s {4}human escalate queue "support"/);
    expect(unexpected).toContain("hands over 0s    human escalate");
    expect(unexpected).toContain(
      "hello did not run: the bot is silent here by rule human, and the rule does not say interrupts: true",
    );
  });

  it("can expect reported conversions, and see the result of a skipped step", async () => {
    const outcome = await runTests(
      `
      - id: sign-up
        group: none
        triggers: [dm.received]
        actions:
          - set: {state.sender.device: "\${{ message.text }}"}
            if: message.text != "nothing"
          - id: conv
            report_conversion:
              app_id: 7
              conversion_type: SIGN_UP
              conversion_time: \${{ event.time }}
              os_type: IOS
              hashed_device_id: \${{ state.sender.device.orValue("") }}
          - if: steps.conv.result == "skipped"
            then: [{reply_dm: No device.}]
      `,
      `
      - name: with a device
        events: [{dm.received: {from: ann, text: ${"d1".repeat(32)}}}]
        expect:
          - {report_conversion: {app_id: "7", conversion_type: SIGN_UP, hashed_device_id: ${"d1".repeat(32)}, conversion_time: "2026-03-02T09:00:00.000Z"}}
      - name: without one
        events: [{dm.received: {from: ann, text: nothing}}]
        expect: [{reply_dm: {text: No device.}}]
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });

  it("begin without state: no test sees the state of another", async () => {
    const test = `
        events: [{dm.received: {from: ann, text: hours}}]
        expect: [{rule: hours, reply_dm: {}}]`;
    const outcome = await runTests(HOURS, `\n      - name: one${test}\n      - name: two${test}`);

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });
});

it.each([
  { to: "ann", passes: true },
  { to: "{equals: ann}", passes: true },
  { to: "{in: [ben, ann]}", passes: true },
  { to: "{starts_with: an}", passes: true },
  { to: '{equals: "1001"}', passes: true },
  { to: "ben", passes: false },
  { to: "{equals: ben}", passes: false },
  { to: "{in: [ben]}", passes: false },
])("an answer to ann is expected with to: $to, or not: $passes", async ({ to, passes }) => {
  const failures = await failuresOf(
    FALLBACK,
    `
    - name: to
      events: [{dm.received: {from: ann, text: hi}}]
      expect: [{reply_dm: {to: ${to}}}]
    `,
  );

  expect(failures.length === 0).toBe(passes);
});

describe("labels", () => {
  const LABELS = `
  - id: add
    triggers: [dm.received]
    conditions: [{message.text: {matches: '^add (?P<label>\\w+)'}}]
    actions: [{label: {add: ["\${{ captures.label }}"]}}, {reply_dm: "\${{ sender.labels }}"}]
  - id: remove
    triggers: [dm.received]
    conditions: [{message.text: remove}, {sender.labels: {contains: vip}}]
    actions: [{label: {remove: [vip]}}, {reply_dm: "left \${{ sender.labels.size() }}"}]
`;

  it("are equal in any case for the step label, as they are for conditions", async () => {
    const outcome = await runTests(
      LABELS,
      `
      - name: added and removed in another case
        events:
          - {at: 0s, dm.received: {from: ann, text: add VIP}}
          - {at: 1s, dm.received: {from: ann, text: add vip}}
          - {at: 2s, dm.received: {from: ann, text: remove}}
          - {at: 3s, dm.received: {from: ann, text: remove}}
        expect:
          - {at: 0s, reply_dm: {text: VIP}}
          - {at: 1s, reply_dm: {text: VIP}}
          - {at: 2s, reply_dm: {text: left 0}}
      `,
    );

    expect(reports(outcome)).toEqual(["passed"]);
  });
});

describe("an answer that is held back by a limit", () => {
  const ADD = `
  - id: add
    triggers: [dm.received]
    conditions: [{message.text: {starts_with: add}}]
    actions: [{reply_dm: Added!}, {log: "added \${{ message.text }}"}]
`;
  const TEST = `
      - name: four within a minute
        events:
          - {at: 0s, dm.received: {from: ann, text: add a}}
          - {at: 1s, dm.received: {from: ann, text: add a}}
          - {at: 2s, dm.received: {from: ann, text: add a}}
          - {at: 3s, dm.received: {from: ann, text: add a}}
        expect: [{at: 0s, reply_dm: {}}, {at: 1s, reply_dm: {}}, {at: 2s, reply_dm: {}}, {at: 3s, reply_dm: {}}]
  `;

  it("is not sent in a test either, with the reason; its run continues", async () => {
    const [report] = reports(await runTests(ADD, TEST));

    expect(report).toContain("add reply_dm is held back: more than 3 in 1m with this text");
    expect(report?.split("log info: added add a")).toHaveLength(5);
  });

  it("is sent if the test file has other limits", async () => {
    const head = `version: 1
rule_files: [rules.yaml]
limits: {equal_replies: none}
users: {ann: {id: "1001", name: Ann}}
`;
    expect(reports(await runTests(ADD, TEST, head))).toEqual(["passed"]);
  });
});
