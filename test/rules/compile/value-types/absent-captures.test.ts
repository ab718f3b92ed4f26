import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import { messageReceived } from "../../../support/events.ts";
import { rulesetOf } from "../../support/compiling.ts";
import { actionsOf, endOf, play } from "../../support/playing.ts";

const BOOK = String.raw`[{ message.text: { matches: '^book (?P<n>\d+)?(?: for (?P<who>\w+))?(?P<rest>.*)$' } }]`;
const EITHER = String.raw`[{ any: [{ message.text: { matches: '^(?P<who>[a-z]+)$' } }, { message.text: { matches: '^(?P<n>\d+)$' } }] }]`;
const ONE_OF_TWO = String.raw`[{ message.text: { matches: ['^(?P<who>[a-z]+)$', '^(?P<n>\d+)$'] } }]`;

/** Returns a rule with these conditions that answers with `reply`. */
function ruleSaying(reply: string, conditions: string): string {
  return `rules:
  - id: a
    triggers: [dm.received]
    conditions: ${conditions}
    actions: [{ reply_dm: ${JSON.stringify(reply)} }]`;
}

function said(reply: string, text: string, conditions = BOOK) {
  const steps = play(messageReceived({ text }), rulesetOf(ruleSaying(reply, conditions)));
  const [action] = actionsOf(steps);
  return action?.type === "reply_dm" ? action.text : endOf(steps);
}

describe("a group without a part in the match", () => {
  test.each([
    ["[${{ captures.who }}]", "book 2", "[]"],
    ["[${{ captures.who }}]", "book 2 for Ann", "[Ann]"],
    ["${{ captures.who.orValue('you') }}", "book 2", "you"],
    ["${{ captures.who.orValue('you').upper() }}", "book 2 for Ann", "ANN"],
    ["${{ has(captures.who) }}", "book 2", "false"],
    ["${{ has(captures.who) ? captures.who : 'you' }}", "book 2 for Ann", "Ann"],
    ["${{ !has(captures.rest) || has(captures.who) }}", "book 2", "true"],
    ["${{ captures.rest.orValue('nothing') }}", "book 2", "nothing"],
    ["${{ captures.n.orValue(1) }}", "book now", "1"],
    ["${{ captures.n.orValue(1) + 1 }}", "book 2", "3"],
    ["${{ captures.n.orValue(1) > 1 }}", "book now", "false"],
  ])("is absent for `orValue` and `has`: %s for %s", (reply, text, expected) => {
    expect(said(reply, text)).toBe(expected);
  });

  test.each([EITHER, ONE_OF_TWO])("of another pattern is absent: %s", (conditions) => {
    const reply = "${{ captures.n.orValue(1) * 2 }} ${{ captures.who.orValue('you') }}";
    expect(said(reply, "3", conditions)).toBe("6 you");
    expect(said(reply, "ann", conditions)).toBe("2 ann");
  });

  it("is no number without a value in its place", () => {
    const text = `version: 1\n${ruleSaying("${{ captures.n + 1 }}", BOOK)}`;
    const { problems } = compile([{ path: "a.yaml", text }]);

    expect(problems.map(({ code }) => code)).toEqual(["operand-types"]);
  });

  it("keeps the form of the author in messages", () => {
    const text = `version: 1\n${ruleSaying("${{ captures.who.orValue('') > 1 }}", BOOK)}`;
    const [problem] = compile([{ path: "a.yaml", text }]).problems;

    expect(problem).toMatchObject({
      code: "operand-types",
      help: "write  captures.who.orValue(0)",
    });
  });
});
