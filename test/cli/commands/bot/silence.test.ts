import { afterAll, beforeAll, describe, expect, it, test, onTestFinished } from "vitest";
import { begin } from "../../../support/command-line.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const SETTINGS = `version: 1
rules: [../rules/*.yaml]
bots: []
limits: { equal_replies: 1 in 10m }
opt_out: { words: [stop] }
`;

const on = (id: string, word: string, more: string) => `
  - id: ${id}
    group: none
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: ${word} } }]
    ${more}
`;
const RULES = `version: 1
rules:
${on("twice", "twice", "actions: [{ reply_dm: { text: one } }, { delay: 300ms }, { reply_dm: { text: two } }]")}
${on("hours", "hours", "cooldown: { for: 1h, per: sender }\n    actions: [{ reply_dm: { text: always open } }]")}
${on("notes", "note", "actions: [{ log: { message: noted } }]")}
${on("late", "later", "actions: [{ delay: 2h }, { reply_dm: { text: at last } }]")}
${on("asks", "book", "actions: [{ ask: { text: which day?, within: 10m } }, { log: { message: booked } }]")}
${on("breaks", "break", 'actions: [{ http: { method: GET, url: "http://nowhere.example/" } }]')}
${on("same", "same", "actions: [{ reply_dm: { text: the same } }]")}
${on("person", "human", "actions: [{ escalate: { queue: support, pause_bot: { until: resolved } } }]")}
${on("tries", "shadow", "stage: shadow\n    actions: [{ reply_dm: { text: not yet } }]")}
${on("lines", "lines", 'actions: [{ reply_dm: { text: "one\\ntwo" } }]')}
`;

describe("the output of send when the bot", () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await runningDev("echo", {
      "config/answerback.yaml": SETTINGS,
      "rules/hello.yaml": RULES,
    });
  });
  afterAll(() => dev.close());

  it("answers twice shows both answers, and send ends when no more follow", async () => {
    const { out, code } = await dev.run("send", "@ana", "twice", "--wait", "600");

    expect({ out, code }).toEqual({ out: "@hello_bot: one\n@hello_bot: two\n", code: 0 });
  });

  it("answers in lines is all of them, each of them its own", async () => {
    expect((await dev.run("send", "@ana", "lines")).out).toBe("@hello_bot: one\ntwo\n");
  });

  it("asks shows the question, then why a wrong reply gets no answer", async () => {
    expect((await dev.run("send", "@dora", "book", "--wait", "600")).out).toBe(
      "@hello_bot: which day?\n",
    );
    expect((await dev.run("send", "@dora", "monday", "--wait", "600")).err).toMatch(
      /^no answer: rule asks ran and said nothing; see answerback trace \d+\/rule:asks\n$/,
    );
  });

  test.each([
    {
      why: "does not know the word",
      says: ["mumble"],
      message: /^no answer: no rule matched; see answerback why \d+\n$/,
    },
    {
      why: "has a rule that cools down",
      says: ["hours", "hours"],
      message:
        /^no answer: rule hours is cooling down for (1 h|59 min \d+ s); shorten its cooldown \(rules\/hello\.yaml:\d+\)\n$/,
    },
    {
      why: "has a rule that says nothing",
      says: ["note"],
      message:
        /^no answer: rule notes ran and said nothing; see answerback trace \d+\/rule:notes\n$/,
    },
    {
      why: "has a rule that waits",
      says: ["later"],
      message:
        /^no answer: rule late waits at actions\[0\] until \S+ \((2 h|1 h 59 min)\); see answerback trace \d+\/rule:late\n$/,
    },
    {
      why: "has a rule that fails",
      says: ["break"],
      message:
        /^no answer: rule breaks failed: .*nowhere\.example.*; see answerback trace \d+\/rule:breaks\n$/,
    },
    {
      why: "has a rule that shadows",
      says: ["shadow"],
      message:
        /^no answer: rule tries did not run: it matches, and only shadows \(stage: shadow\); write stage: live \(rules\/hello\.yaml:\d+\)\n$/,
    },
    {
      why: "has said the same before",
      says: ["same", "same"],
      message:
        /^no answer: the answer is held back: more than 1 in 10m with this text to one person \(limits\.equal_replies\); send it now: answerback outbox retry \d+\n$/,
    },
    {
      why: "hands the conversation over",
      says: ["human"],
      message:
        /^no answer: rule person handed over to queue support \(escalation \d+\); see answerback escalations show \d+\n$/,
    },
    {
      why: "has left the conversation to a person",
      says: ["human", "hours"],
      message:
        /^no answer: the bot is silent here by escalation \d+, until a person has resolved it; let the bot answer again: answerback escalations resolve \d+\n$/,
    },
    {
      why: "was told to be silent",
      says: ["stop", "hours"],
      message:
        /^no answer: the person has opted out; nothing is sent until the person takes it back \(opt_out\.back in the settings\)\n$/,
    },
  ])("$why is the reason", async ({ why, says, message }) => {
    const person = `p${why.replaceAll(/\W/g, "").slice(-12)}`;
    let last = { code: 0, out: "", err: "" };
    for (const text of says) last = await dev.run("send", person, text, "--wait", "60");

    expect(last.err).toMatch(message);
    expect(last.code).toBe(3);
  });

  it("is not reached by a post shows that reason, with the accounts it reaches", async () => {
    const { err } = await dev.run("send", "@ben", "--post", "good morning", "--wait", "0.3");

    expect(err).toBe(
      "no answer: not delivered within 1 s: a post reaches the bot only if it mentions @hello_bot\n",
    );
  });

  it("was not reached yet shows that reason, with the retry; so does status", async () => {
    const match = { direction: "delivery", event: "direct_message_events" } as const;
    const fault = { type: "status", status: 503 } as const;
    // On a busy machine, the next delivery may be the retry of an earlier one.
    await dev.control.addFault({ match, fault, when: { next: 1_000 } });
    // Longer than the commands below take on a busy machine.
    const retryAfter = (...retries_ms: readonly number[]) =>
      dev.control.call("PATCH", "/settings", { retries_ms });
    await retryAfter(600_000);
    onTestFinished(async () => void (await retryAfter(3_000, 27_000, 242_000)));

    const first = await dev.run("send", "@gus", "hours", "--wait", "0.3");
    const second = await dev.run("send", "@gus", "mumble", "--wait", "0.3");
    const status = await dev.run("status");
    const shown = await dev.json<{ pendingDeliveries: readonly object[] }>("status");
    await dev.control.clearFaults();
    await dev.run("clock", "+600s");

    expect(first.out).toBe("");
    expect(first.err).toMatch(
      /^no answer: not delivered yet: the bot refused it or was away, and the platform retries in [\d a-z]+; have it at once with: answerback clock \+\d{3}s\n$/,
    );
    expect(second.err).toMatch(
      /^no answer: not delivered yet: the platform first retries an earlier/,
    );
    expect(status.out).toMatch(
      /^deliveries +2 events not delivered yet, first retry .* in [\d a-z]+; /m,
    );
    expect(shown.pendingDeliveries).toHaveLength(2);
    expect((await dev.run("status")).out).not.toContain("not delivered yet");
  });

  it("is paused is the reason, at once", async () => {
    await dev.run("pause");
    const { err } = await dev.run("send", "@ben", "hours", "--wait", "600");
    await dev.run("resume");

    expect(err).toMatch(
      /^no answer: @hello_bot is paused since \S+Z; let it go on with: answerback resume\n$/,
    );
  });

  it("matches no rule is explained by why without the advice to run why", async () => {
    await dev.run("send", "@yan", "mumble");
    const { out } = await dev.run("why", "@yan");

    expect(out).toMatch(/\n {2}no rule matched\n/);
    expect(out).not.toContain("see answerback why");
  });

  it("is silent to one line of a conversation shows the reason at the prompt", async () => {
    const typed = begin({ cwd: dev.folder, input: "twice\nmumble\n" }, ["chat", "--as", "@zoe"]);
    const { out, err } = await typed.ended;

    expect(out).toBe("@hello_bot: one\n@hello_bot: two\n");
    expect(err).toMatch(/^no answer to "mumble": no rule matched; see answerback why \d+\n$/);
  });
});
