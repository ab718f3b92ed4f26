import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import type { Next } from "../../../src/rules/run/advance.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import type { StepResult } from "../../../src/rules/run/run-state.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";
import { actionsOf, endOf, play } from "../support/playing.ts";

const onMessage = (...lines: string[]) =>
  rulesetOf(
    [
      "rules:",
      "  - id: a",
      "    triggers: [dm.received]",
      ...lines.map((line) => `    ${line}`),
    ].join("\n"),
  );

describe("a run", () => {
  it("fills in texts once: a person's text is never interpreted as an expression", () => {
    const ruleset = onMessage("actions: [{reply_dm: 'You said: ${{ message.text }}'}]");
    const text = "${{ secrets.KEY }}";

    expect(actionsOf(play(messageReceived({ text }), ruleset))).toEqual([
      { type: "reply_dm", to: "200", text: `You said: ${text}` },
    ]);
  });

  it("sees its variables and the results of earlier steps", () => {
    const ruleset = onMessage(
      "variables: {code: '${{ message.text.upper() }}', long: '${{ vars.code }}!'}",
      "actions:",
      "  - call: ./codes.ts#redeem",
      "    id: redeem",
      "    with: {code: '${{ vars.long }}', key: '${{ secrets.KEY }}', n: '${{ 1 + 1 }}', list: [a]}",
      "    timeout: 3s",
      "  - if: steps.redeem.result.left > 1 && steps.redeem.ok",
      "    then: [{reply_dm: '${{ steps.redeem.result.left }} left'}]",
      "    else: [{reply_dm: none left}]",
    );
    const steps = play(messageReceived({ text: "ab" }), ruleset, (next) =>
      next.kind === "call" ? { ok: true, result: { left: 3 } } : { ok: true, result: null },
    );

    expect(steps[0]).toEqual({
      kind: "call",
      path: "actions[0]",
      id: "redeem",
      file: "a.yaml",
      module: "./codes.ts",
      export: "redeem",
      with: { code: "AB!", key: "s3", n: 2, list: ["a"] },
      timeoutMs: 3_000,
    });
    expect(steps[1]).toMatchObject({ path: "actions[1].then[0]", action: { text: "3 left" } });
    expect(endOf(steps)).toBe("finished: all steps are done");
  });

  it.each(["steps.redeem.result", "steps.redeem.result.left.over"])(
    "can test whether a skipped step has a result: has(%s)",
    (result) => {
      const ruleset = onMessage(
        "actions:",
        "  - { id: redeem, if: sender.username == 'nobody', call: './codes.ts#redeem' }",
        `  - reply_dm: "\${{ has(${result}) ? 'some' : 'none' }} \${{ has(${result}) }}"`,
      );
      const [action] = actionsOf(play(messageReceived(), ruleset));

      expect(action).toMatchObject({ text: "none false" });
    },
  );

  it("stops at a stop step, with its reason", () => {
    const ruleset = onMessage(
      "actions: [{if: sender.username == \"ana\", then: [{stop: 'met ${{ sender.name }}'}]}, {reply_dm: x}]",
    );

    expect(play(messageReceived(), ruleset).map(({ kind }) => kind)).toEqual(["done"]);
    expect(endOf(play(messageReceived(), ruleset))).toBe("stopped: met Ana");
  });

  it("continues with the rule's on_error if a step fails, and ends as failed", () => {
    const ruleset = onMessage(
      "actions: [{reply_dm: a}, {reply_dm: never}]",
      "on_error: [{log: {level: warn, message: '${{ error.step }} ${{ error.code }}'}}]",
    );
    const refuse = (next: Next): StepResult =>
      next.kind === "action"
        ? { ok: false, error: { code: "forbidden", message: "no DMs" } }
        : { ok: true, result: null };
    const steps = play(messageReceived(), ruleset, refuse);

    expect(steps[1]).toMatchObject({ kind: "log", level: "warn", message: "actions[0] forbidden" });
    expect(endOf(steps)).toBe("failed: actions[0]: no DMs");
  });

  it("continues after a failure that the step itself handles", () => {
    const ruleset = onMessage(
      "actions:",
      "  - {reply_dm: a, on_error: [{log: '${{ error.message }}'}]}",
      "  - {reply_dm: b, continue_on_error: true}",
      "  - {log: end}",
    );
    const steps = play(messageReceived(), ruleset, (next) =>
      next.kind === "action"
        ? { ok: false, error: { code: "x", message: "no" } }
        : { ok: true, result: null },
    );

    expect(steps.map((next) => ("path" in next ? next.path : next.kind))).toEqual([
      "actions[0]",
      "actions[0].on_error[0]",
      "actions[1]",
      "actions[2]",
      "done",
    ]);
  });

  it("fails with a message if a text is empty or a field is absent", () => {
    const empty = onMessage("actions: [{reply_dm: '${{ message.text }}'}]");
    const absent = onMessage("actions: [{reply_dm: '${{ sender.followers_count }}'}]");

    expect(endOf(play(messageReceived({ text: " " }), empty))).toBe(
      "failed: actions[0]: the text is empty",
    );
    expect(endOf(play(messageReceived(), absent))).toBe(
      "failed: actions[0]: sender.followers_count is not known here",
    );
  });
});

describe("a failure among the steps of another step", () => {
  const FAILING = "call: ./a.ts#f";
  /** Returns the texts and the end of a rule with these steps. Its calls fail; `texts` have the placeholder `@`. */
  const said = (actions: string, beside = "") =>
    play(
      messageReceived(),
      rulesetOf(
        `rules: [{id: a, triggers: [dm.received], ${beside} actions: [${actions.replaceAll("@", "${{ error.step }}: ${{ error.message }}")}]}, {id: risky, enabled: false, triggers: [dm.received], actions: [{if: "true", then: [{${FAILING}}], on_error: [{reply_dm: inside}]}, {reply_dm: after}]}]`,
      ),
      (next) =>
        next.kind === "call"
          ? { ok: false, error: { code: "broken", message: "it broke" } }
          : { ok: true, result: null },
    ).flatMap((next) => {
      if (next.kind === "done") return `${next.end.outcome}: ${next.end.reason}`;
      return next.kind === "action" && "text" in next.action ? next.action.text : [];
    });
  const END = "finished: all steps are done";
  const CAUGHT = "on_error: [{reply_dm: 'caught @'}]";

  it.each([
    ["then", `{if: "true", then: [{${FAILING}}, {reply_dm: no}], ${CAUGHT}}`, ".then[0]"],
    [
      "else_if",
      `{if: "false", then: [{log: x}], else_if: [{if: "true", then: [{${FAILING}}]}], ${CAUGHT}}`,
      ".else_if[0].then[0]",
    ],
    ["else", `{if: "false", then: [{log: x}], else: [{${FAILING}}], ${CAUGHT}}`, ".else[0]"],
    ["count", `{repeat: {count: 2, sequence: [{${FAILING}}]}, ${CAUGHT}}`, ".repeat.sequence[0]"],
    [
      "for_each",
      `{repeat: {for_each: [a, b], sequence: [{${FAILING}}]}, ${CAUGHT}}`,
      ".repeat.sequence[0]",
    ],
    [
      "while",
      `{repeat: {while: "true", sequence: [{${FAILING}}]}, ${CAUGHT}}`,
      ".repeat.sequence[0]",
    ],
  ])("continues with the on_error beside %s", (_block, step, failing) => {
    expect(said(`${step}, {reply_dm: after}`)).toEqual([
      `caught actions[0]${failing}: it broke`,
      "after",
      END,
    ]);
  });

  it("continues after the step if continue_on_error is beside it", () => {
    const inner = `{if: "true", then: [{${FAILING}}, {reply_dm: no}]}`;
    const steps = `{id: r, repeat: {count: 2, sequence: [${inner}]}, continue_on_error: true}`;

    expect(said(`${steps}, {reply_dm: "\${{ steps.r.ok }} \${{ steps.r.error }}"}`)).toEqual([
      "false it broke",
      END,
    ]);
  });

  it("uses the innermost steps for errors, and not those whose own steps for errors fail", () => {
    const inner = `{if: "true", then: [{${FAILING}}], on_error: [{reply_dm: inner}, {${FAILING}}]}`;
    const middle = `{repeat: {count: 2, sequence: [${inner}]}, on_error: [{reply_dm: 'middle @'}]}`;

    expect(said(`{if: "true", then: [${middle}, {reply_dm: on}], ${CAUGHT}}`)).toEqual([
      "inner",
      "middle actions[0].then[0].repeat.sequence[0].on_error[1]: it broke",
      "on",
      END,
    ]);
  });

  it("ends the run if the steps for errors fail, and nothing around them handles it", () => {
    expect(said(`{if: "true", then: [{${FAILING}}], on_error: [{${FAILING}}]}`)).toEqual([
      "failed: actions[0].on_error[0]: it broke",
    ]);
  });

  it("continues with the next round if a step inside the round handles it", () => {
    const inner = `{if: "true", then: [{${FAILING}}], on_error: [{reply_dm: "no \${{ repeat.index }}"}]}`;

    expect(said(`{repeat: {count: 2, sequence: [${inner}]}}`)).toEqual(["no 1", "no 2", END]);
  });

  it("is handled inside a called rule, else by the steps around the call", () => {
    expect(said("{run: risky}")).toEqual(["inside", "after", END]);
    const plain = `{if: "true", then: [{run: risky}, {${FAILING}}], ${CAUGHT}}`;
    expect(said(plain)).toEqual(["inside", "after", "caught actions[0].then[1]: it broke", END]);
  });

  it("is handled by steps among the rule's on_error, too", () => {
    const handled = `{if: "true", then: [{${FAILING}}], on_error: [{reply_dm: caught}]}`;

    expect(said(`{${FAILING}}`, `on_error: [${handled}, {reply_dm: end}],`)).toEqual([
      "caught",
      "end",
      "failed: on_error[0].then[0]: it broke",
    ]);
  });
});

describe("the rules of the starter project", async () => {
  const names = (await readdir("config/rules")).filter((name) => /(?<!\.test)\.yaml$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({
      path: name,
      text: await readFile(`config/rules/${name}`, "utf8"),
    })),
  );
  const { ruleset, problems } = compile(files);
  const answers = (event: AccountEvent) =>
    actionsOf(play(event, ruleset)).map((action) => ("text" in action ? action.text : action.type));

  it("have no problems", () => {
    expect(problems).toEqual([]);
  });

  it("answer the messages that a newcomer tries", () => {
    expect(answers(messageReceived({ text: "what are your hours?" }))[0]).toContain(
      "We're open Mon-Fri 9:00-17:30 (CET).",
    );
    expect(answers(messageReceived({ text: "I want my money back" }))[0]).toContain(
      "Hi Ana, refunds",
    );
  });

  it("leave dice rolls to the bot", () => {
    expect(answers(messageReceived({ text: "roll 2d6" }))).toEqual([]);
    expect(answers(messageReceived({ text: "dice" }))).toEqual([]);
  });

  it("like praise, hand over complaints and greet others", () => {
    expect(answers(postMentioned({ text: "@hello_bot I love it" }))).toEqual([
      "like",
      "Thank you, @ana!",
    ]);
    expect(answers(postMentioned({ text: "@hello_bot it is down" }))[0]).toContain("Sorry to hear");
    expect(answers(postMentioned({ text: "@hello_bot hi" }))[0]).toContain(
      "thanks for the mention",
    );
  });

  it("welcome a follower", () => {
    const follow: AccountEvent = {
      kind: "relation",
      relation: "follow",
      key: "f",
      accountId: "100",
      at: 0,
      direction: "inbound",
      lane: "100/200",
      triggers: ["user.followed"],
      sender: { id: "200", name: "Ana" },
      target: { id: "100" },
    };

    expect(answers(follow)[0]).toContain("Hi Ana, thanks for the follow!");
  });
});
