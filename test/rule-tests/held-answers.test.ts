import { describe, expect, it } from "vitest";
import { compile } from "../../src/rules/compile/compile.ts";
import { failuresOf } from "./support.ts";

const FOUR_TIMES = `
        events:
          - {at: 0s, dm.received: {from: ann, text: hello}}
          - {at: 1s, dm.received: {from: ann, text: hello}}
          - {at: 2s, dm.received: {from: ann, text: hello}}
          - {at: 3s, dm.received: {from: ann, text: hello}}`;

describe("an answer that is held back", () => {
  it("runs its own steps, then the rule continues", async () => {
    const failures = await failuresOf(
      `
      - id: hello
        triggers: [dm.received]
        actions:
          - id: said
            reply_dm: Hello.
            on_held:
              - escalate: { queue: support, note: "\${{ steps.said.held }}" }
          - if: has(steps.said.held)
            then: [{ log: held }]
          - set: { state.sender.seen: true }
      `,
      `
      - name: the fourth in a minute${FOUR_TIMES}
        expect:
          - {at: 0s, reply_dm: {text: Hello.}}
          - {at: 1s, reply_dm: {text: Hello.}}
          - {at: 2s, reply_dm: {text: Hello.}}
          - {at: 3s, escalate: {note: {contains: limits.equal_replies}}}
        expect_open_runs: []
      `,
    );

    expect(failures).toEqual([]);
  });

  it("counts once though it is sent in two messages, and is held as a whole", async () => {
    const parts = ["one", "two"].map((word) => `${word} ${"word ".repeat(1_600).trim()}.`);
    const rule = `
      - id: hello
        triggers: [dm.received]
        actions:
          - id: said
            reply_dm: ${parts.join(" ")}
            on_held:
              - escalate: { queue: support, note: "\${{ steps.said.held }}" }
      `;
    const both = (at: number) =>
      `
          - {at: ${at}s, reply_dm: {text: {starts_with: one}}}
          - {at: ${at}s, reply_dm: {text: {starts_with: two}}}`;
    const seconds = Array.from({ length: 16 }, (_, at) => at);
    const heard = (at: number) => `
          - {at: ${at}s, dm.received: {from: ann, text: hello ${at}}}`;
    const failures = await failuresOf(
      rule,
      `
      - name: sixteen in ten minutes, which are thirty-two messages
        events:${seconds.map(heard).join("")}
        expect:${seconds.map(both).join("")}
      - name: the fourth in a minute${FOUR_TIMES}
        expect:${[0, 1, 2].map(both).join("")}
          - {at: 3s, escalate: {note: {contains: limits.equal_replies}}}
      `,
    );

    expect(failures).toEqual([]);
  });

  it("ends the rule if its steps stop it", async () => {
    const failures = await failuresOf(
      `
      - id: hello
        triggers: [dm.received]
        actions:
          - reply_dm: Hello.
            on_held: [{ stop: too often }]
          - reply_dm: And welcome, \${{ message.id }}.
      `,
      `
      - name: the fourth in a minute${FOUR_TIMES}
        expect:
          - {at: 0s, reply_dm: {text: Hello.}}
          - {at: 0s, reply_dm: {text: {starts_with: And}}}
          - {at: 1s, reply_dm: {text: Hello.}}
          - {at: 1s, reply_dm: {text: {starts_with: And}}}
          - {at: 2s, reply_dm: {text: Hello.}}
          - {at: 2s, reply_dm: {text: {starts_with: And}}}
      `,
    );

    expect(failures).toEqual([]);
  });

  it("is not waited for if it is a question: its steps run instead", async () => {
    const failures = await failuresOf(
      `
      - id: hello
        triggers: [dm.received]
        actions:
          - ask: { text: How are you?, within: 1h, expect: { matches: '^never$' } }
            on_held: [{ log: not asked }]
          - set: { state.sender.seen: true }
      `,
      `
      - name: the fourth in a minute
        events:
          - {at: 0s, dm.received: {from: ann, text: hello}}
          - {at: 1s, dm.received: {from: ann, text: hello}}
          - {at: 2s, dm.received: {from: ann, text: hello}}
          - {at: 3s, dm.received: {from: ann, text: hello}}
          - {at: 4s, dm.received: {from: ann, text: hello}}
          - {at: 5s, dm.received: {from: ann, text: hello}}
          - {at: 6s, dm.received: {from: ann, text: hello}}
        expect:
          - {at: 0s, reply_dm: {text: How are you?}}
          - {at: 2s, reply_dm: {text: How are you?}}
          - {at: 4s, reply_dm: {text: How are you?}}
        expect_failed_runs: [{at: 1s, rule: hello}, {at: 3s, rule: hello}, {at: 5s, rule: hello}]
        expect_open_runs: []
      `,
    );

    expect(failures).toEqual([]);
  });

  it("does not occur if the person keeps writing different texts", async () => {
    const failures = await failuresOf(
      `
      - id: list
        triggers: [dm.received]
        conditions: [{ message.text: { starts_with: "add " } }]
        actions:
          - reply_dm: Added.
      `,
      `
      - name: five things in a minute
        events:
          - {at: 0s, dm.received: {from: ann, text: add milk}}
          - {at: 1s, dm.received: {from: ann, text: add eggs}}
          - {at: 2s, dm.received: {from: ann, text: add bread}}
          - {at: 3s, dm.received: {from: ann, text: add tea}}
          - {at: 4s, dm.received: {from: ann, text: add jam}}
        expect:
          - {at: 0s, reply_dm: {text: Added.}}
          - {at: 1s, reply_dm: {text: Added.}}
          - {at: 2s, reply_dm: {text: Added.}}
          - {at: 3s, reply_dm: {text: Added.}}
          - {at: 4s, reply_dm: {text: Added.}}
      - name: the same thing again and again
        events:
          - {at: 0s, dm.received: {from: ann, text: add milk}}
          - {at: 1s, dm.received: {from: ann, text: add MILK}}
          - {at: 2s, dm.received: {from: ann, text: add milk}}
          - {at: 3s, dm.received: {from: ann, text: add milk}}
        expect:
          - {at: 0s, reply_dm: {text: Added.}}
          - {at: 1s, reply_dm: {text: Added.}}
          - {at: 2s, reply_dm: {text: Added.}}
      `,
    );

    expect(failures).toEqual([]);
  });

  it("does not apply to a step that sends nothing to a person", () => {
    const text = `version: 1
rules:
  - id: hello
    triggers: [dm.received]
    actions:
      - log: hello
        on_held: [{ log: held }]
`;
    expect(compile([{ path: "rules.yaml", text }]).problems).toMatchObject([
      {
        line: 7,
        code: "unknown-key",
        message: '"on_held" has no meaning beside "log": only answers and posts are held back',
        help: 'remove "on_held"',
      },
    ]);
  });
});
