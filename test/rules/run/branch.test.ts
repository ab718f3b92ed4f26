import { describe, expect, it, test } from "vitest";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { endOf, play } from "../support/playing.ts";

const TRIAGE = `rules:
  - id: triage
    triggers: [dm.received]
    actions:
      - id: way
        if: message.text.has_word("down")
        then: [{reply_dm: outage}]
        else_if:
          - name: what is broken gets a ticket
            if: message.text.has_word("broken")
            then:
              - {id: ticket, call: ./tickets.ts#open}
              - {delay: 2s}
              - {reply_dm: "ticket \${{ steps.ticket.result }}"}
          - if: message.text.has_word(["broken", "thanks"])
            then:
              - if: message.text.has_word("really")
                then: [{reply_dm: not thanked}]
                else_if: [{if: message.text.has_word("many"), then: [{reply_dm: many}]}]
        else: [{reply_dm: nothing}]
      - reply_dm: end
`;

/** Returns, for each step that sends something, its path in the rule and its text. */
function course(text: string): string[] {
  const next = play(messageReceived({ text }), rulesetOf(TRIAGE), () => ({ ok: true, result: 7 }));
  return next.flatMap((one) => {
    if (one.kind === "done") return [];
    return one.kind === "action" && "text" in one.action
      ? `${one.path}: ${one.action.text}`
      : `${one.path}: ${one.kind}`;
  });
}
const END = "actions[1]: end";

describe("if with else_if", () => {
  test.each([
    { text: "it is down and broken", why: "the first way", ran: ["actions[0].then[0]: outage"] },
    {
      text: "it is broken",
      why: "the first of the others that holds, step by step",
      ran: [
        "actions[0].else_if[0].then[0]: call",
        "actions[0].else_if[0].then[1]: timer",
        "actions[0].else_if[0].then[2]: ticket 7",
      ],
    },
    {
      text: "many thanks",
      why: "ways inside ways",
      ran: ["actions[0].else_if[1].then[0].else_if[0].then[0]: many"],
    },
    { text: "thanks", why: "a way in which no other is gone", ran: [] },
    { text: "hello", why: "else", ran: ["actions[0].else[0]: nothing"] },
  ])("takes the branch for $why, then continues: $text", ({ text, ran }) => {
    expect(course(text)).toEqual([...ran, END]);
  });

  it("continues if no branch matches and there is no else", () => {
    const ruleset = rulesetOf(
      "rules: [{id: a, triggers: [dm.received], actions: [{if: 'false', then: [{log: a}], else_if: [{if: 'false', then: [{log: b}]}]}]}]",
    );

    expect(endOf(play(messageReceived(), ruleset))).toBe("finished: all steps are done");
  });

  it("fails if a condition can't be evaluated, and evaluates none after the first match", () => {
    const endWith = (first: string) =>
      endOf(
        play(
          messageReceived(),
          rulesetOf(
            `rules: [{id: a, triggers: [dm.received], actions: [{id: c, call: ./a.ts#a}, {if: '${first}', then: [{log: a}], else_if: [{if: steps.c.result.nope > 1, then: [{log: b}]}]}]}]`,
          ),
        ),
      );

    expect(endWith("false")).toMatch(/^failed: actions\[1\]: /);
    expect(endWith("true")).toBe("finished: all steps are done");
  });
});
