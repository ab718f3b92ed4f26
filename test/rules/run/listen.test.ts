import { describe, expect, it } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { advance, settle } from "../../../src/rules/run/advance.ts";
import { isListening, offer, timeUp } from "../../../src/rules/run/listen.ts";
import type { RunState } from "../../../src/rules/run/run-state.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const MINUTE = 60_000;
const START = messageReceived().at;

/** Starts a run of a rule, which advances only when the test calls `next` or `go`. */
function atWork(actions: string) {
  const ruleset = rulesetOf(`rules:\n  - id: a\n    triggers: [dm.received]\n${actions}`);
  const rule = ruleset.rules[0];
  const [started] = decide(messageReceived(), ruleset, { now: START }).runs;
  if (rule === undefined || started === undefined) throw new Error("the rule did not start");
  let state: RunState = started;
  let now = START;
  const go = () => {
    const advanced = advance(stored(state), rule, { now });
    expect(advance(stored(advanced.run), rule, { now: now + 1 })).toEqual(advanced);
    state = advanced.run;
    return advanced.next;
  };
  return {
    go,
    /** Returns the next message or wait in a short form. */
    next(): string {
      const next = go();
      if (next.kind === "action" && "text" in next.action) return next.action.text;
      if (next.kind === "done") return `${next.end.outcome}: ${next.end.reason}`;
      return next.kind === "wait" ? `waits ${(next.until - now) / MINUTE} min` : next.kind;
    },
    sent: () => void (state = settle(state, rule, { ok: true, result: "77" })),
    refused: () =>
      void (state = settle(state, rule, {
        ok: false,
        error: { code: "refused-403", message: "no" },
      })),
    /** Returns whether the run accepted the event. */
    says(text: string, event: AccountEvent = messageReceived({ text })): boolean {
      const offered = offer(stored(state), rule, { ...event, at: now }, now);
      state = offered?.run ?? state;
      return offered !== undefined;
    },
    offered: (event: AccountEvent): boolean => offer(state, rule, event, now) !== undefined,
    timeUp: () => void (state = timeUp(state, rule)),
    pass: (minutes: number) => void (now += minutes * MINUTE),
    listens: () => isListening(state),
    result: (label: string) => state.results[label],
  };
}

function stored(state: RunState): RunState {
  return JSON.parse(JSON.stringify(state));
}

it("asks with texts of the file, and asks again with other texts", () => {
  const run = atWork(`    actions:
      - ask:
          say: question
          expect: {matches: '^[A-Z]\\d+$'}
          reprompt: {say: again}
          retries: 1
          within: 1h
          on_timeout: [stop]
texts: {question: "Your number, \${{ sender.name }}?", again: {en: "It begins with a letter."}}`);

  expect(run.next()).toBe("Your number, Ana?");
  run.sent();
  run.next();
  expect(run.says("77")).toBe(true);
  expect(run.next()).toBe("It begins with a letter.");
});

const ORDER = `    actions:
      - id: order
        ask:
          text: What is your number?
          expect: {matches: '\\b(?P<no>[A-Z]\\d{5})\\b'}
          retries: 1
          reprompt: It starts with a letter.
          within: 15m
          on_timeout: [{reply_dm: I'll be here.}, {stop: no answer}]
          on_invalid: [{reply_dm: A person will help.}]
      - reply_dm: "\${{ steps.order.captures.no.lower() }} is on its way, \${{ steps.order.text }}"
`;

describe("ask", () => {
  it("sends the question, waits, and provides the answer and the captures of its pattern", () => {
    const run = atWork(ORDER);

    expect(run.next()).toBe("What is your number?");
    run.sent();
    expect(run.next()).toBe("waits 15 min");
    expect(run.says("it is A12345")).toBe(true);
    expect(run.next()).toBe("a12345 is on its way, it is A12345");
    expect(run.result("actions[0]")).toEqual({
      ok: true,
      result: "it is A12345",
      text: "it is A12345",
      captures: { no: "A12345" },
    });
    run.sent();
    expect(run.next()).toBe("finished: all steps are done");
  });

  it("provides captures in the person's own writing", () => {
    const run = atWork(ORDER.replace("[A-Z]\\d{5}", "A1.+"));
    run.go();

    expect(run.says("it is A1² ½")).toBe(true);
    expect(run.next()).toBe("a1² ½ is on its way, it is A1² ½");
  });

  it("accepts an answer that arrives before the question is known to be sent", () => {
    const run = atWork(ORDER);
    run.go();

    expect(run.listens()).toBe(true);
    expect(run.says("A12345")).toBe(true);
    expect(run.next()).toBe("a12345 is on its way, A12345");
  });

  it("asks again as often as the rule allows, each time with a new key, then runs the steps for that case", () => {
    const run = atWork(ORDER);
    run.go();
    run.sent();
    run.go();
    run.says("dunno");

    expect(run.go()).toMatchObject({
      kind: "action",
      path: "actions[0]",
      iteration: 2,
      action: { text: "It starts with a letter." },
    });
    run.sent();
    run.pass(5);
    expect(run.next()).toBe("waits 15 min");
    expect(run.says("still not")).toBe(true);
    expect(run.next()).toBe("A person will help.");
    expect(run.result("actions[0]")).toMatchObject({ error: { code: "invalid-answer" } });
  });

  it("runs the steps for a timeout, and accepts no more answers", () => {
    const run = atWork(ORDER);
    run.go();
    run.sent();
    run.go();
    run.timeUp();

    expect(run.next()).toBe("I'll be here.");
    expect(run.listens()).toBe(false);
    run.sent();
    expect(run.next()).toBe("stopped: no answer");
  });

  it("fails if there are no steps for a timeout", () => {
    const run = atWork("    actions: [{ask: {text: Well?, within: 1m}}, {reply_dm: never}]\n");
    run.go();
    run.sent();
    run.go();
    run.timeUp();

    expect(run.next()).toBe("failed: actions[0]: nobody answered in time");
  });

  it("fails with the platform's reason if the question can't be sent", () => {
    const run = atWork(
      "    actions: [{ask: {text: Well?, within: 1m}, on_error: [{reply_dm: '${{ error.code }}'}]}]\n",
    );
    run.go();
    run.refused();

    expect(run.next()).toBe("refused-403");
    expect(run.listens()).toBe(false);
  });

  it("ignores messages from before the question, after its time, or by another way", () => {
    const run = atWork(ORDER);
    run.go();
    run.sent();
    run.go();

    expect(run.offered({ ...messageReceived(), at: START - 2 * MINUTE })).toBe(false);
    expect(run.offered({ ...messageReceived(), at: START + 16 * MINUTE })).toBe(false);
    expect(run.offered({ ...messageReceived(), direction: "outbound" })).toBe(false);
    expect(run.offered(postMentioned())).toBe(false);
    expect(run.offered(messageReceived())).toBe(true);
  });
});

describe("wait_for", () => {
  const THANKS = `    actions:
      - reply_dm: It is shipped.
      - wait_for:
          trigger: dm.received
          conditions: [{message.text: {contains_word: [thanks, thank you]}}]
          within: 10m
          on_timeout: [{stop: done}]
      - reply_dm: You're welcome!
`;

  it("takes the first event that meets its conditions, and ignores others", () => {
    const run = atWork(THANKS);
    run.go();
    run.sent();

    expect(run.next()).toBe("waits 10 min");
    expect(run.says("and my other order?")).toBe(false);
    expect(run.says("thanks a lot")).toBe(true);
    expect(run.next()).toBe("You're welcome!");
  });

  it("listens from the time at which the send before it is queued", () => {
    const run = atWork(THANKS);
    run.go();

    expect(run.listens()).toBe(true);
    expect(run.says("thanks")).toBe(true);
    expect(run.listens()).toBe(false);
    expect(run.next()).toBe("It is shipped.");
    run.sent();
    expect(run.next()).toBe("You're welcome!");
  });

  it("does not start if the send before it fails", () => {
    const run = atWork(THANKS);
    run.go();
    run.says("thanks");
    run.refused();

    expect(run.next()).toBe("failed: actions[0]: no");
  });

  it("runs its steps for a timeout", () => {
    const run = atWork(THANKS);
    run.go();
    run.sent();
    run.go();
    run.timeUp();

    expect(run.next()).toBe("stopped: done");
  });
});

describe("the choice of a question with listed answers", () => {
  const asking = (expected: string) =>
    atWork(`    actions:
      - id: size
        ask: { text: Which?, within: 1h, retries: 1, expect: ${expected} }
      - reply_dm: "\${{ steps.size.choice }} of \${{ steps.size.text }}"
`);
  const said = (expected: string, text: string) => {
    const run = asking(expected);
    expect(run.next()).toBe("Which?");
    run.sent();
    run.next();
    expect(run.says(text)).toBe(true);
    return run.next();
  };

  it.each([
    ["{ in: [yes, no] }", "YES ", "yes of YES"],
    ["{ in: [Straße, Weg] }", "strasse", "Straße of strasse"],
    ["{ in: [1, 2.50] }", "2.50", "2.50 of 2.50"],
    ["{ in: [Yes, yes], cased: true }", "yes", "yes of yes"],
  ])("is the listed form of the answer: %s selects %j", (expected, text, shown) => {
    expect(said(expected, text)).toBe(shown);
  });

  it.each([
    { standIn: "0", sum: "1" },
    { standIn: "-2", sum: "-1" },
    { standIn: "1.5", sum: "2.5" },
  ])("has a number in its place if it is a number: $standIn", ({ standIn, sum }) => {
    const run = atWork(`    actions:
      - id: seats
        ask: { text: How many?, within: 1h, expect: { matches: '^(?P<n>[0-9]+)$' } }
        continue_on_error: true
      - reply_dm: "\${{ steps.seats.captures.n.orValue(${standIn}) + 1 }}"
`);
    expect(run.next()).toBe("How many?");
    run.sent();
    run.next();
    run.says("many");

    expect(run.next()).toBe(sum);
  });

  it.each([
    ["A7", "none false"],
    ["A7-x", "x true"],
  ])("has no capture of a group without a part in the answer %s", (answer, shown) => {
    const run = atWork(`    actions:
      - id: code
        ask: { text: Code?, within: 1h, expect: { matches: '^A\\d(?:-(?P<suffix>\\w+))?$' } }
      - reply_dm: "\${{ steps.code.captures.suffix.orValue('none') }} \${{ has(steps.code.captures.suffix) }}"
`);
    expect(run.next()).toBe("Code?");
    run.sent();
    run.next();
    run.says(answer);

    expect(run.next()).toBe(shown);
  });

  it("is absent if the answer matched none", () => {
    const run = atWork(`    actions:
      - id: size
        ask: { text: Which?, within: 1h, expect: { in: [yes, no] } }
        continue_on_error: true
      - reply_dm: "\${{ steps.size.choice.orValue('none') }}"
`);
    expect(run.next()).toBe("Which?");
    run.sent();
    run.next();
    run.says("maybe");

    expect(run.next()).toBe("none");
  });
});
