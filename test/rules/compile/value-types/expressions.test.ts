import { describe, expect, it, test } from "vitest";
import { compile } from "../../../../src/rules/compile/compile.ts";
import { messageReceived } from "../../../support/events.ts";
import { rulesetOf } from "../../support/compiling.ts";
import { actionsOf, endOf, play } from "../../support/playing.ts";

/** Returns a rule that matches "guests 12 at 2.5, code 007" and answers with `reply`. */
function ruleSaying(reply: string, rest = ""): string {
  return `rules:
  - id: a
    triggers: [dm.received]
    conditions:
      - message.text: { matches: '^guests (?P<n>\\d+) at (?P<price>\\d+\\.\\d+), code (?P<code>\\d{3}) ?(?P<word>\\w+)?$' }
${rest}    actions:
      - reply_dm: ${JSON.stringify(reply)}`;
}

function said(reply: string, rest = "", text = "guests 12 at 2.5, code 007") {
  const steps = play(messageReceived({ text }), rulesetOf(ruleSaying(reply, rest)));
  const [action] = actionsOf(steps);
  return action?.type === "reply_dm" ? action.text : endOf(steps);
}

function problemsOf(reply: string, rest = "") {
  const text = `version: 1\n${ruleSaying(reply, rest)}`;
  return compile([{ path: "a.yaml", text }]).problems.map(
    ({ code, message, help }) => `${code}: ${message}; ${help}`,
  );
}

describe("digits captured by a pattern", () => {
  test.each([
    ["guests １２ at ２．５, code ００７", "30"],
    ["guests ⑫ at 2.5, code 007", "30"],
  ])("are numbers in each way to write a digit: %s", (text, product) => {
    expect(said("${{ captures.n * captures.price }}", "", text)).toBe(product);
  });

  it("are a number in the keycap of an emoji", () => {
    expect(said('${{ number("7️⃣") + 1 }}')).toBe("8");
  });

  it("are no number if they are raised: two squared is not 22", () => {
    const text = "guests 2² at 2.5, code 007";

    expect(said("${{ captures.n + 1 }}", "", text)).toBe(
      'failed: actions[0]: "2²" is no whole number',
    );
  });

  test.each([
    ["${{ captures.n > 8 }}", "true"],
    ['${{ captures.n > "8" }}', "true"],
    ["${{ 8 < captures.n }}", "true"],
    ["${{ captures.n >= 12.5 }}", "false"],
    ["${{ captures.n == 12 }}", "true"],
    ["${{ captures.n != 12 }}", "false"],
    ["${{ captures.n in [11, 12] }}", "true"],
    ["${{ captures.n in [11.5, 12.0] }}", "true"],
    ["${{ captures.price in [2, 3] }}", "false"],
    ["${{ captures.price * 2 == 5 && !(captures.price in [-2, 3]) }}", "true"],
    ["${{ captures.price in [2.5, 3.0] }}", "true"],
    ["${{ captures.n + 1 }}", "13"],
    ["${{ captures.n + captures.n }}", "24"],
    ["${{ captures.n * captures.price }}", "30"],
    ["${{ captures.price * 2 }}", "5"],
    ["${{ captures.n - 2 - captures.n }}", "-2"],
    ["${{ -captures.n }}", "-12"],
    ["${{ captures.n % 5 }}", "2"],
    ["${{ captures.n > captures.code ? 'more' : 'less' }}", "more"],
    ["${{ (captures.n + 1) * 2 > 25 }}", "true"],
    ["${{ state.sender.best.orValue(3) < captures.n }}", "true"],
    // captured text stays text where no number is required
    ["${{ captures.code }}", "007"],
    ['${{ "#" + captures.code }}', "#007"],
    ['${{ captures.code == "007" }}', "true"],
    ['${{ captures.code in ["007"] }}', "true"],
    ["${{ captures.code.startsWith('00') }}", "true"],
  ])("%s is %s", (reply, text) => {
    expect(problemsOf(reply)).toEqual([]);
    expect(said(reply)).toBe(text);
  });

  it("are a number, also in digits of other scripts and at any length", () => {
    const long = "guests 99999999999999999999 at ２.５, code ٠٠٧";
    expect(said("${{ captures.n > 8 }}", "", long)).toBe("true");
    expect(said("${{ captures.price + captures.code }}", "", long)).toBe("9.5");
    expect(said("${{ captures.code }}", "", long)).toBe("٠٠٧");
  });

  it("are a text if they may be something else", () => {
    expect(problemsOf("${{ captures.word > 8 }}")[0]).toMatch(/number\(captures\.word\)/);
  });

  it("are a number in conditions, variables and answers to questions", () => {
    const rest = `    variables:
      twice: "\${{ 2 * 2.5 }}"
`;
    expect(said("${{ vars.twice + captures.n }}", rest)).toBe("17");
  });
});

describe("the item of a repeat over a list", () => {
  const repeating = (list: string, item: string) =>
    compile([
      {
        path: "a.yaml",
        text: `version: 1
rules:
  - id: a
    triggers: [dm.received]
    actions:
      - repeat:
          for_each: ${list}
          sequence: [{ reply_dm: ${JSON.stringify(item)} }]`,
      },
    ]).problems.map(({ code, message }) => `${code}: ${message}`);

  test.each(["[a, b]", '"${{ message.hashtags }}"', "\"${{ ['a', 'b'] }}\""])(
    "is a text in %s",
    (list) => {
      expect(repeating(list, "${{ repeat.item.upper() }} ${{ repeat.index + 1 }}")).toEqual([]);
      expect(repeating(list, "${{ repeat.item + 1 }}")).toEqual([
        "operand-types: a text and a number can't be added",
      ]);
    },
  );

  it("is a number in a list of numbers, and of any type in a mixed list", () => {
    expect(repeating("[1, 2]", "${{ repeat.item + 1 }}")).toEqual([]);
    expect(repeating("[1, 2]", "${{ 'n' + repeat.item }}")).toEqual([
      "operand-types: a text and a number can't be added",
    ]);
    expect(repeating("[a, 2]", "${{ repeat.item + 1 }}")).toEqual([]);
  });
});

describe("a number that is stored with the run", () => {
  const NUMBERS = `    variables:
      id: "\${{ number('1585094756761149440') }}"
      ids: "\${{ [1, -number('1585094756761149440')] }}"
      price: "\${{ decimal('3.0') }}"
      prices: "\${{ [decimal('3.0'), 4.5] }}"
`;
  const READS = [
    ["id + 1", "1585094756761149441"],
    ["id > 100", "true"],
    ["ids[1] - 1", "-1585094756761149441"],
    ["ids", "1, -1585094756761149440"],
    ["price", "3"],
    ["price / 2", "1.5"],
    ["price == 3", "true"],
    ["price == 3.0 && vars.price > 2 && vars.price < 3.5", "true"],
    ["price in [1.0, 3.0]", "true"],
    ["prices[0] / 2", "1.5"],
  ] as const;

  test.each(READS)("keeps its type in a variable: vars.%s is %s", (read, shown) => {
    expect(said(`\${{ vars.${read} }}`, NUMBERS)).toBe(shown);
  });

  test.each(READS)("keeps its type while the rule is decided: vars.%s is %s", (read, shown) => {
    const rest = `${NUMBERS}      shown: "x\${{ vars.${read} }}"\n`;

    expect(said("${{ vars.shown }}", rest)).toBe(`x${shown}`);
  });

  test.each(READS)("keeps its type in a rule that is run: vars.%s is %s", (read, shown) => {
    const text = `rules:
  - id: a
    triggers: [dm.received]
    actions: [{ run: b, with: { id: "\${{ number('1585094756761149440') }}" } }]
  - id: b
${NUMBERS}      shown: "x\${{ vars.${read} }}"
    actions:
      - log: "\${{ vars.shown }}"
      - reply_dm: "\${{ vars.${read} }}"`;
    const steps = play(messageReceived({}), rulesetOf(text));

    expect(steps).toMatchObject([{ message: `x${shown}` }, { action: { text: shown } }, {}]);
  });

  test.each([
    ["${{ [number('1585094756761149440')] }}", "item + 1", "1585094756761149441"],
    ["${{ [decimal('3.0')] }}", "item / 2", "1.5"],
  ])("keeps its type in the list of a repeat: %s", (list, read, shown) => {
    const text = `rules:
  - id: a
    triggers: [dm.received]
    actions:
      - repeat:
          for_each: ${JSON.stringify(list)}
          sequence: [{ reply_dm: "\${{ repeat.${read} }}" }]`;
    const [action] = actionsOf(play(messageReceived({}), rulesetOf(text)));

    expect(action).toMatchObject({ text: shown });
  });
});

describe("types that can't be combined", () => {
  test.each([
    ['${{ state.account.votes.orValue("") + 1 }}', "state.account.votes.orValue(0)"],
    ["${{ 1 + state.account.votes.orValue('') }}", "state.account.votes.orValue(0)"],
    ["${{ state.sender.n.orValue(0).upper() }}", "upper"],
    [
      "${{ sender.username + ' ' + state.sender.score.orValue(0) }}",
      "string(state.sender.score.orValue(0))",
    ],
    ["${{ 'n: ' + 3 }}", "string(3)"],
    ["${{ sender.followers_count + ' people' }}", "string(sender.followers_count)"],
    ["${{ vars.price + ' EUR' }}", "string(vars.price)"],
    ["${{ vars.list + 1 }}", "a list and a number can't be added"],
    ["${{ vars.flag > 1 }}", "true or false can't be compared with a number"],
    ["${{ vars.seven.upper() }}", "upper"],
    ["${{ state.sender.n.orValue(true) > 1 }}", "true or false can't be compared with a number"],
    ["${{ state.sender.n.orValue(0) == 'x' }}", "state.sender.n.orValue('')"],
  ])("%s: help names %s", (reply, named) => {
    const rest = `    variables:
      price: "\${{ 2.5 * 2 }}"
      list: "\${{ ['a', 'b'] }}"
      flag: true
      seven: 7
`;
    const [first = "nothing is wrong"] = problemsOf(reply, rest);
    expect(first).toContain(named);
  });

  test.each([
    ["${{ state.sender.n.orValue(0) + 1.5 }}", "1.5"],
    ["${{ state.sender.n.orValue(0.5) + 1 }}", "1.5"],
    ["${{ true ? state.sender.n.orValue(0) : 1.5 }}", "0"],
    ["${{ vars.price + 1 }}", "6"],
    ["${{ vars.price == 5 }}", "true"],
    ["${{ sender.username + string(vars.price) }}", "ana5"],
    ["${{ has(state.sender.n) && state.sender.n > 1 }}", "false"],
  ])("%s is %s", (reply, text) => {
    const rest = `    variables:
      price: "\${{ 2.5 * 2 }}"
`;
    expect(problemsOf(reply, rest)).toEqual([]);
    expect(said(reply, rest)).toBe(text);
  });
});
