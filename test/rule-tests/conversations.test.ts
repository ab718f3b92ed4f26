import { describe, expect, it } from "vitest";
import { reports, runTests } from "./support.ts";

describe("tests of rules", () => {
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
});

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
