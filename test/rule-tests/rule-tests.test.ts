import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Problem } from "../../src/config/problem.ts";
import { readTests } from "../../src/insight/tests/read-tests.ts";
import { failureReport } from "../../src/insight/tests/report.ts";
import { type FileOutcome, runFiles } from "../../src/insight/tests/run-files.ts";
import { failuresOf, runTests } from "./support.ts";

const plain = (text: string): string => text;
const PAINT = { good: plain, bad: plain, faint: plain };

function reports({ tests }: FileOutcome, width?: number): string[] {
  return tests.map((one) => (one.passed ? "passed" : failureReport(one, one.of, PAINT, width)));
}

const HOURS = `
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    cooldown: {per: sender, for: 10m}
    actions:
      - delay: 2s
      - reply_dm: We're open 9:00-17:30.
`;
const FALLBACK = `
  - id: fallback
    fallback: true
    triggers: [dm.received]
    actions: [{reply_dm: Sorry?}]
`;

describe("a first test file", () => {
  const helpOf = (users: string, expected = "{reply_dm: {text: hi}}"): readonly unknown[] => {
    const tests = `tests: [{name: a, events: [{dm.received: {from: ann, text: hi}}], expect: [${expected}]}]`;
    const text = `version: 1\nrule_files: [a.yaml]\nstart_time: 2026-03-02T09:00:00Z\n${users}\n${tests}\n`;
    return readTests(text, "a.test.yaml", "/rules").problems.map(({ help }) => help);
  };

  it("has corrections that can be pasted", () => {
    expect(helpOf("")).toEqual(['add  users: { ann: { id: "1001" } }']);
    expect(helpOf("users: {ann: {}}")).toEqual(['add  id: "1001"']);
    expect(helpOf('users: {ann: {id: "1001"}}', "{reply_dm: hi}")).toEqual(["write  { text: hi }"]);
    expect(helpOf('users: {ann: {id: "1001"}}')).toEqual([]);
  });

  it.each(["", "rule_files: []\nbot_files: []\n"])(
    "names the rules or bots to test, because without them no test means anything: %j",
    (files) => {
      const text = `version: 1\n${files}users: {}\ntests: [{name: a, advance_to: 1h, expect: []}]\n`;
      const { file, problems } = readTests(text, "rules/a.test.yml", "/");
      expect(file).toBeUndefined();
      expect(problems.map(({ code, help }) => [code, help])).toEqual([
        ["missing-key", "add  rule_files: [a.yml]"],
      ]);
    },
  );
});

describe("a test of a bot that imports a missing package", () => {
  it.each([
    { file: "package.json", text: '{"type":"module"}', why: "an ES module" },
    { file: "package.json", text: "{}", why: "a CommonJS module" },
  ])("names the package and the bot, without frames of loaders: $why", async ({ file, text }) => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "answerback-missing-package-")));
    onTestFinished(() => rm(base, { recursive: true, force: true }));
    const bot = join(base, "a.ts");
    await writeFile(join(base, file), text);
    await writeFile(bot, 'import x from "no-such-package-zz";\nexport default x;\n');
    const tests =
      'version: 1\nbot_files: [a.ts]\nusers: {ann: {id: "1"}}\ntests: [{name: a, advance_to: 1h, expect: []}]\n';

    const failure = runFiles([{ path: "a.test.yaml", text: tests }], { base });

    await expect(failure).rejects.toThrow(/Cannot find (?:package|module) 'no-such-package-zz'/);
    await expect(failure).rejects.toThrow(bot);
    await expect(failure).rejects.not.toThrow(/\n +at |tried again/);
  });
});

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

  it("pass the pauses between attempts by themselves", async () => {
    const outcome = await runTests(
      `
      - id: lookup
        triggers: [dm.received]
        actions:
          - {http: {url: "https://a.example.test/"}, retry: {attempts: 3}, continue_on_error: true}
          - reply_dm: Nobody is there.
      `,
      `
      - name: three attempts
        http: [{match: {url: "https://a.example.test/"}, respond: {fail: timeout}}]
        events: [{dm.received: {from: ann, text: hi}}]
        expect: [{at: 0s, http: {}}, {http: {}}, {http: {}}, {reply_dm: {text: Nobody is there.}}]
        expect_open_runs: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed"]);
  });

  it("draw other delays for another seed, and the same for the same", async () => {
    const rules = `
      - id: welcome
        triggers: [user.followed]
        actions: [{delay: {min: 1s, max: 4m}}, {reply_dm: hi}]
    `;
    const test = `
      - name: when
        events: [{user.followed: {from: ben}}]
        expect: [{reply_dm: {}}]
    `;
    const at = async (seed: number): Promise<number | undefined> => {
      const head = `version: 1\nrule_files: [rules.yaml]\nseed: ${seed}\nusers:\n  ben: {id: "2"}\n`;
      const { tests } = await runTests(rules, test, head);
      return tests[0]?.comparison.pairs[0]?.actual?.at;
    };

    expect(await at(1)).toBe(await at(1));
    expect(await at(1)).not.toBe(await at(2));
  });

  it.each([1_772_442_000_123, Number.MAX_SAFE_INTEGER])(
    "give each event an id of its own, also with the large seed %d",
    async (seed) => {
      const failures = await failuresOf(
        FALLBACK,
        `
        - name: three messages
          seed: ${seed}
          events:
            - {at: 0s, dm.received: {from: ann, text: a}}
            - {at: 1h, dm.received: {from: ann, text: b}}
            - {at: 2h, dm.received: {from: ann, text: c}}
          expect: [{at: 0s, reply_dm: {}}, {at: 1h, reply_dm: {}}, {at: 2h, reply_dm: {}}]
        `,
      );

      expect(failures).toEqual([]);
    },
  );

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

  it("contain conversations: questions, answers, and timeouts", async () => {
    const outcome = await runTests(
      `
      - id: order
        triggers: [dm.received]
        conditions: [{message.text: {contains_word: order}}]
        actions:
          - id: number
            ask:
              text: Which number?
              expect: {matches: '\\b(?P<no>[A-Z]\\d{5})\\b'}
              retries: 1
              reprompt: It looks like A12345.
              within: 15m
              on_timeout: [{reply_dm: I'll be here.}, {stop: no answer}]
          - reply_dm: "Found \${{ steps.number.captures.no }}."
          - id: thanks
            wait_for: {trigger: dm.received, within: 10m, on_timeout: [{stop: done}]}
          - reply_dm: You're welcome!
      `,
      `
      - name: answered after a slip
        events:
          - {at: 0s, dm.received: {from: ann, text: my order}}
          - {at: 20s, dm.received: {from: ann, text: dunno}}
          - {at: 40s, dm.received: {from: ann, text: it is A12345}}
        expect:
          - {at: 0s, reply_dm: {text: "Which number?"}}
          - {at: 20s, reply_dm: {text: {contains: looks like}}}
          - {at: 40s, reply_dm: {text: Found A12345.}}
        expect_open_runs: [{rule: order, waiting_at: thanks}]
      - name: nobody answers
        events: [{dm.received: {from: ann, text: my order}}]
        advance_to: 16m
        expect: [{at: 0s, reply_dm: {}}, {at: 15m, reply_dm: {text: {contains: be here}}}]
        expect_open_runs: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });

  const ORDERS = `
    - id: orders
      triggers: [dm.received]
      actions:
        - typing: 2s
        - id: lookup
          http:
            method: POST
            url: https://orders.example.test/v2/find
            headers: {authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}"}
            json: {number: "\${{ message.text }}"}
            expect_status: [200, 404]
          continue_on_error: true
        - if: steps.lookup.ok && steps.lookup.status == 200
          then: [{reply_dm: "It is \${{ steps.lookup.json.state }}."}]
          else: [{reply_dm: "No: \${{ steps.lookup.error.orValue(string(steps.lookup.status)) }}"}]
  `;
  const FIND = "https://orders.example.test/v2/find";

  it("answer instead of services, and expect the requests", async () => {
    const outcome = await runTests(
      ORDERS,
      `
      - name: found
        http:
          - {match: {url: {starts_with: "https://orders."}, body: {contains: A12345}}, respond: {json: {state: shipped}}}
        events: [{dm.received: {from: ann, text: A12345}}]
        expect:
          - {at: 0s, typing: {to: ann, for: 2s}}
          - {at: 2s, rule: orders, http: {method: POST, url: {ends_with: /find}, body: '{"number":"A12345"}'}}
          - {at: 2s, reply_dm: {to: ann, text: It is shipped.}}
      - name: a status that is not an error to the rule
        http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
        events: [{dm.received: {from: ann, text: A12345}}]
        expect: [{http: {}}, {reply_dm: {text: "No: 404"}}]
      - name: a status that is one
        http: [{match: {url: "${FIND}", method: POST}, respond: {status: 500, body: sorry}}]
        events: [{dm.received: {from: ann, text: A12345}}]
        expect: [{http: {}}, {reply_dm: {text: "No: answered with 500"}}]
      - name: nobody answers, and then somebody does
        http:
          - {match: {url: "${FIND}"}, respond: {fail: timeout}, times: 1}
          - {match: {url: "${FIND}"}, respond: {json: {state: packed}}}
        events:
          - {at: 0s, dm.received: {from: ann, text: A1}}
          - {at: 1m, dm.received: {from: ann, text: A1}}
        expect:
          - {http: {}}
          - {at: 2s, reply_dm: {text: "No: no answer in time"}}
          - {http: {}}
          - {at: 62s, reply_dm: {text: It is packed.}}
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed", "passed", "passed"]);
  });

  it("fail for a request without an answer, with the entry to add, and for an unexpected one", async () => {
    const [unmocked, unexpected] = reports(
      await runTests(
        ORDERS,
        `
        - name: no service
          http: [{match: {url: "https://elsewhere.example.test/"}, respond: {}}]
          events: [{dm.received: {from: ann, text: A1}}]
          expect: [{http: {}}, {reply_dm: {}}]
        - name: not expected
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ann, text: A1}}]
          expect: [{reply_dm: {}}]
        `,
      ),
    );

    expect(unmocked).toContain(
      `✗ no mock answers POST ${FIND}: write in the test  ` +
        `http: [{match: {url: "${FIND}", method: POST}, respond: {status: 200, json: {}}}]`,
    );
    expect(unexpected).toMatch(/\(not expected\) +\| 2s {4}orders http method "POST"/);
  });

  it("can expect a typing pause, and may leave it out", async () => {
    const [first, other] = reports(
      await runTests(
        ORDERS,
        `
        - name: the pause
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ben, text: A1}}]
          expect: [{at: 0s, typing: {to: ben}}, {http: {}}, {reply_dm: {}}]
        - name: another pause
          http: [{match: {url: "${FIND}"}, respond: {status: 404}}]
          events: [{dm.received: {from: ben, text: A1}}]
          expect: [{typing: {for: 3s}}, {http: {}}, {reply_dm: {}}]
        `,
      ),
    );

    expect(first).toBe("passed");
    expect(other).toMatch(/✗ +typing for "3s" +\| 0s {4}orders typing to ben, for "2s"/);
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

  it("run schedules, each at its times", async () => {
    const rules = `
      - id: morning
        triggers: [{trigger: schedule, cron: "0 9 * * mon-fri", zone: Europe/Berlin, id: at-nine}]
        actions:
          - count: {name: mornings, per: account, window: 7d}
          - create_post: "\${{ trigger.id }} on \${{ event.time }}"
          - delay: 1h
          - log: {message: an hour later}
      - id: third
        triggers: [{trigger: count.reached, of: mornings, at: 3}]
        actions: [{escalate: {queue: team, note: the third}}]
      - id: other
        account: somebody_else
        triggers: [{trigger: schedule, cron: "0 9 * * *", zone: UTC}]
        actions: [{create_post: never}]
    `;
    // the test begins on a Monday at ten in Berlin
    const outcome = await runTests(
      rules,
      `
      - name: three mornings
        advance_to: 74h
        expect:
          - {at: 23h, rule: morning, create_post: {text: "at-nine on 2026-03-03T08:00:00.000Z"}}
          - {at: 47h, rule: morning, create_post: {}}
          - {at: 71h, rule: morning, create_post: {}}
          - {at: 71h, rule: third, escalate: {note: the third}}
        expect_open_runs: []
      - name: a weekend has none
        advance_to: 1h
        expect: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });

  it("can lose the link and restore it", async () => {
    const rules = `
      - id: away
        triggers: [link.lost]
        actions: [{escalate: {queue: ops, note: "since \${{ link.since }}: \${{ link.reason }}"}}]
      - id: back
        triggers: [link.restored]
        conditions: [{link.lasted_seconds: {gte: 600}}]
        actions: [{escalate: {queue: ops, note: "back after \${{ link.lasted_seconds }} s"}}]
    `;
    const outcome = await runTests(
      rules,
      `
      - name: a long outage
        events:
          - {at: 0s, link.lost: {reason: status 503}}
          - {at: 9m, link.restored: {for: 10m}}
        expect:
          - {at: 0s, rule: away, escalate: {note: "since 2026-03-02T08:59:00.000Z: status 503"}}
          - {at: 9m, rule: back, escalate: {note: back after 600 s}}
      - name: a short one
        events: [{link.restored: {}}]
        expect: []
        expect_not_run: [{rule: back, because: condition}]
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

describe("a file of tests", () => {
  const EVENT = "events: [{dm.received: {from: ann, text: hi}}]";

  it.each([
    { test: `{name: a, evnts: []}`, at: "evnts", message: 'unknown key "evnts"' },
    { test: `{name: a}`, at: "{name: a}", message: "a test needs an event, or a time to go on to" },
    { test: `{name: a, events: [{at: 0s}]}`, at: "{at: 0s}", message: "this event has no trigger" },
    {
      test: `{name: a, events: [{dm.received: {from: an, text: hi}}]}`,
      at: "an",
      message: '"an" is not a user of this file',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{at: 2s}]}`,
      at: "{at: 2s}",
      message: "this expectation names no action",
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {txt: hi}}]}`,
      at: "txt",
      message: 'unknown key "txt" of reply_dm',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {to: bob}}]}`,
      at: "bob",
      message: '"bob" is not a user',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{reply_dm: {text: {contain: hi}}}]}`,
      at: "contain",
      message: 'unknown key "contain"',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{rule: houres, reply_dm: {}}]}`,
      at: "",
      message: 'no rule "houres" is in the rule files',
    },
    {
      test: `{name: a, ${EVENT}, http: [{match: {url: "https://a.test/"}, respond: {json: {}, fail: timeout}}]}`,
      at: "fail",
      message: '"json" and "fail" both set the response of the service',
    },
    {
      test: `{name: a, ${EVENT}, http: [{match: {url: {end_with: a}}, respond: {}}]}`,
      at: "end_with",
      message: 'unknown key "end_with"',
    },
    {
      test: `{name: a, ${EVENT}, expect: [{http: {address: a}}]}`,
      at: "address",
      message: 'unknown key "address" of http',
    },
    {
      test: `{name: a, events: [{at: 1h, dm.received: {from: ann, text: hi}}], advance_to: 10m}`,
      at: "10m",
      message: "the test ends at 10m, and its last event is at 1h",
    },
    {
      test: `{name: a, events: [{at: soon, dm.received: {from: ann, text: hi}}]}`,
      at: "soon",
      message: "not a duration",
    },
  ])("is refused with the place of its mistake: $message", async ({ test, at, message }) => {
    const { problems, tests } = await runTests(HOURS, `- ${test}`);

    expect(tests).toEqual([]);
    expect(problems.map(pointedAt)).toEqual([`8 ${at}`]);
    expect(problems[0]?.message).toContain(message);
  });
});

it("users of a test file with the same id are refused", async () => {
  const head = `version: 1
rule_files: [rules.yaml]
users: {ann: {id: "1001"}, bob: {id: "1002"}, cy: {id: "1001"}}
`;
  const { problems } = await runTests(HOURS, "- {name: a, advance_to: 1h}", head);

  expect(problems.map(({ message }) => message)).toEqual([
    'the users "ann" and "cy" have the same id',
  ]);
  expect(problems.map(pointedAt)).toEqual(['3 "1001"']);
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

/** Returns the line and the text that a caret underlines. */
function pointedAt({ line, column, length, sourceLine = "" }: Problem): string {
  return `${line} ${sourceLine.slice(column - 1, column - 1 + length)}`;
}

describe("tests of rules whose runs go together", () => {
  const QUEUE = `
  - id: single
    triggers: [dm.received]
    mode: single
    conditions: [{message.text: {contains_word: one}}]
    actions: [{delay: 10s}, {reply_dm: one}]
  - id: queued
    triggers: [dm.received]
    mode: queued
    key: all
    max: 1
    conditions: [{message.text: {contains_word: line}}]
    actions: [{delay: 10s}, {reply_dm: "in line"}]
`;

  it("attribute the steps of a called rule to the calling rule", async () => {
    const outcome = await runTests(
      `
      - id: ask
        triggers: [dm.received]
        actions: [{run: question, with: {what: name}}]
      - id: question
        variables: {what: ""}
        actions:
          - id: answer
            ask: {text: "Your \${{ vars.what }}?", within: 15m, on_timeout: [{reply_dm: Too late.}]}
          - reply_dm: "Thanks, \${{ steps.answer.text }}."
      `,
      `
      - name: in time
        events:
          - {at: 0s, dm.received: {from: ann, text: "hello"}}
          - {at: 1m, dm.received: {from: ann, text: "Ann"}}
        expect:
          - {at: 0s, rule: ask, reply_dm: {to: ann, text: "Your name?"}}
          - {at: 1m, rule: ask, reply_dm: {to: ann, text: "Thanks, Ann."}}
        expect_open_runs: []
      - name: still open
        events: [{at: 0s, dm.received: {from: ann, text: "hello"}}]
        expect: [{rule: ask, reply_dm: {text: "Your name?"}}]
        expect_open_runs: [{rule: ask, waiting_at: answer}]
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });

  it("show why an event started no run, and when a queued run started", async () => {
    const outcome = await runTests(
      QUEUE,
      `
      - name: single
        events:
          - {at: 0s, dm.received: {from: ann, text: "one"}}
          - {at: 1s, dm.received: {from: ann, text: "one"}}
          - {at: 2s, dm.received: {from: ben, text: "one"}}
        expect:
          - {at: 10s, rule: single, reply_dm: {to: ann}}
          - {at: 12s, rule: single, reply_dm: {to: ben}}
        expect_not_run:
          - {at: 1s, rule: single, because: already-running}
      - name: queued
        events:
          - {at: 0s, dm.received: {from: ann, text: "line"}}
          - {at: 1s, dm.received: {from: ben, text: "line"}}
          - {at: 2s, dm.received: {from: ann, text: "line"}}
        expect:
          - {at: 10s, rule: queued, reply_dm: {to: ann}}
          - {at: 20s, rule: queued, reply_dm: {to: ben}}
        expect_not_run:
          - {at: 2s, rule: queued, because: queue-full}
        expect_open_runs: []
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });
});

describe("a question that the person cancels", () => {
  const FORM = `
  - id: help
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: help}]
    actions: [{reply_dm: We need it.}]
  - id: cancel
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {in: [cancel, stop]}}]
    actions: [{reply_dm: Cancelled.}]
  - id: book
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: book}}]
    actions:
      - {id: name, ask: {text: What name?, within: 1h, on_timeout: [stop]}}
      - reply_dm: "For \${{ steps.name.text }}."
  - id: choice
    triggers: [dm.received]
    conditions: [{message.text: choose}]
    actions:
      - {id: way, ask: {text: Stop or go?, expect: {in: [stop, go]}, within: 1h, on_timeout: [stop]}}
      - reply_dm: "\${{ steps.way.text }}!"
  - id: any
    triggers: [dm.received]
    conditions: [{message.text: any}]
    actions:
      - {id: word, ask: {text: Any word?, cancel_on: [], within: 1h, on_timeout: [stop]}}
      - reply_dm: "\${{ steps.word.text }}!"
`;

  it("ends its run, and the message goes to the rules; a word that the question accepts is an answer", async () => {
    const outcome = await runTests(
      FORM,
      `
      - name: ended
        events:
          - {at: 0s, dm.received: {from: ann, text: book}}
          - {at: 1s, dm.received: {from: ann, text: help}}
          - {at: 2s, dm.received: {from: ann, text: " CANCEL "}}
          - {at: 3s, dm.received: {from: ann, text: hello}}
        expect:
          - {at: 0s, reply_dm: {text: What name?}}
          - {at: 1s, reply_dm: {text: We need it.}}
          - {at: 2s, reply_dm: {text: Cancelled.}}
        expect_open_runs: []
      - name: ended with punctuation
        events:
          - {at: 0s, dm.received: {from: ann, text: book}}
          - {at: 1s, dm.received: {from: ann, text: "\u201cStop!\u201d 🙏"}}
        expect: [{reply_dm: {text: What name?}}]
        expect_open_runs: []
      - name: not by a sentence that has the word
        events:
          - {at: 0s, dm.received: {from: ann, text: book}}
          - {at: 1s, dm.received: {from: ann, text: Stop It}}
        expect: [{reply_dm: {text: What name?}}, {reply_dm: {text: For Stop It.}}]
      - name: nor where no text is to cancel
        events:
          - {at: 0s, dm.received: {from: ann, text: any}}
          - {at: 1s, dm.received: {from: ann, text: none}}
        expect: [{reply_dm: {text: Any word?}}, {reply_dm: {text: none!}}]
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed", "passed", "passed"]);
  });
});

describe("two open questions", () => {
  const QUESTIONS = `
  - id: name
    triggers: [dm.received]
    conditions: [{message.text: name}]
    actions:
      - {id: name, ask: {text: Your name?, within: 1d, on_timeout: [stop]}}
      - reply_dm: "Hi \${{ steps.name.text }}"
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: order}]
    actions:
      - {id: no, ask: {text: Which order?, expect: {matches: '^A'}, retries: 1, within: 1d, on_timeout: [stop]}}
      - reply_dm: Order found.
  - id: survey
    triggers: [user.followed]
    actions:
      - {id: stars, ask: {text: How many stars?, expect: {in: [1, 2, 3]}, retries: 1, within: 1d, on_timeout: [stop]}}
      - reply_dm: Thanks.
`;

  it("get the answers that they expect; the latest gets all others", async () => {
    const outcome = await runTests(
      QUESTIONS,
      `
      - name: both expect something
        events:
          - {at: 0s, dm.received: {from: ann, text: order}}
          - {at: 1s, user.followed: {from: ann}}
          - {at: 2s, dm.received: {from: ann, text: A12345}}
          - {at: 3s, dm.received: {from: ann, text: five}}
        expect:
          - {at: 0s, reply_dm: {text: Which order?}}
          - {at: 1s, reply_dm: {text: How many stars?}}
          - {at: 2s, reply_dm: {text: Order found.}}
          - {at: 3s, reply_dm: {text: How many stars?}}
      - name: the earlier one expects nothing
        events:
          - {at: 0s, dm.received: {from: ann, text: name}}
          - {at: 1s, user.followed: {from: ann}}
          - {at: 2s, dm.received: {from: ann, text: five}}
          - {at: 3s, dm.received: {from: ann, text: "2"}}
          - {at: 4s, dm.received: {from: ann, text: Ann}}
        expect:
          - {at: 0s, reply_dm: {text: Your name?}}
          - {at: 1s, reply_dm: {text: How many stars?}}
          - {at: 2s, reply_dm: {text: How many stars?}}
          - {at: 3s, reply_dm: {text: Thanks.}}
          - {at: 4s, reply_dm: {text: Hi Ann}}
      `,
    );

    expect(reports(outcome)).toEqual(["passed", "passed"]);
  });
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

it("a report shows each condition of a step that was evaluated, with what it read", async () => {
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
