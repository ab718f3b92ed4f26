import { describe, expect, it } from "vitest";
import type { AccountEvent } from "../../../src/events/event.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { type DecideContext, explain } from "../../../src/rules/decide/decide.ts";
import { messageReceived, postMentioned } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const event = messageReceived();
const MINUTE = 60_000;

/** Returns the verdicts on rules with these keys, in order. */
function verdicts(
  rules: readonly string[],
  { of = event, ...context }: Partial<DecideContext> & { readonly of?: AccountEvent } = {},
) {
  const all = rules.map((keys, index) => {
    const triggers = keys.includes("triggers:") ? "" : "triggers: [dm.received], ";
    return `{id: r${index}, ${triggers}${keys === "" ? "" : `${keys}, `}actions: [{log: hi}]}`;
  });
  const file = `groups: {g: {match: first}}\nrules: [${all.join(", ")}]`;
  return explain(of, rulesetOf(file), { now: of.at, ...context });
}

const reasonOf = (...args: Parameters<typeof verdicts>) => verdicts(...args)[0]?.reason;

describe("a rule that can't answer is skipped, with the reason", () => {
  it.each([
    ["enabled: false", "disabled"],
    ["stage: draft", "stage-draft"],
  ])("%s", (keys, reason) => {
    expect(verdicts([keys])).toMatchObject([{ outcome: "skipped", reason }]);
  });

  it("while the bot is paused, unless the rule has interrupts", () => {
    expect(verdicts(["", "interrupts: true"], { paused: "escalation 12" })).toMatchObject([
      { ruleId: "r1", reason: "matched" },
      {
        ruleId: "r0",
        outcome: "skipped",
        reason: "paused",
        clause: {
          path: "interrupts",
          wanted: "true, since the bot is paused",
          actual: "escalation 12",
        },
      },
    ]);
  });

  it("outside the time in which it is active", () => {
    expect(
      verdicts(["active: {from: 2026-02-01T00:00:00Z, to: 2026-03-01T00:00:00Z}"]),
    ).toMatchObject([
      {
        outcome: "skipped",
        reason: "not-active",
        clause: {
          path: "active",
          wanted: "from 2026-02-01T00:00:00.000Z to 2026-03-01T00:00:00.000Z",
          actual: "2026-01-01T00:00:00.000Z",
        },
      },
    ]);
  });

  it("once another rule of its group has answered", () => {
    expect(verdicts(["group: g", "group: g"])).toMatchObject([
      { reason: "matched" },
      {
        outcome: "skipped",
        reason: "group-already-matched",
        clause: { path: "group", wanted: "g not yet answered", actual: "r0" },
      },
    ]);
  });

  it("in another kind of conversation", () => {
    const triggers = ["group", "private"].map((kind) => `{trigger: dm.received, in: ${kind}}`);
    expect(
      verdicts([`triggers: [${triggers[0]}, {trigger: dm.sent, direction: outbound, in: any}]`]),
    ).toMatchObject([
      {
        outcome: "skipped",
        reason: "other-conversation",
        clause: { path: "triggers", wanted: "in: private", actual: "in: group" },
      },
    ]);
    expect(reasonOf([`triggers: [${triggers.join(", ")}]`])).toBe("matched");
  });
});

describe("a rule with a maximum age", () => {
  it("skips events that are older, and no younger ones", () => {
    const late = (ms: number) => verdicts(["max_age: 1m"], { now: event.at + ms })[0];

    expect(late(MINUTE)?.reason).toBe("matched");
    expect(late(MINUTE + 600)).toMatchObject({
      outcome: "skipped",
      reason: "too-old",
      clause: { path: "max_age", wanted: "at most 60 s old", actual: 61 },
    });
  });

  it("does not skip a time of its schedule that has passed because the clock was moved by hand", () => {
    const { sender, message, ...common } = event;
    const schedule = (passedByHand: boolean): AccountEvent => ({
      ...common,
      kind: "schedule",
      triggers: ["schedule"],
      schedule: { rule: "r0", cron: "0 0 * * *", zone: "UTC" },
      passedByHand,
    });
    const keys = "triggers: [{trigger: schedule, cron: '0 0 * * *', zone: UTC}], max_age: 1m";
    const now = event.at + 2 * MINUTE;

    expect(reasonOf([keys], { of: schedule(true), now })).toBe("matched");
    expect(reasonOf([keys], { of: schedule(false), now })).toBe("too-old");
  });

  it("skips a replayed event only by its setting for replays, unless it runs for those", () => {
    const late = (keys: string) =>
      reasonOf([`max_age: 1m, ${keys}`], { now: event.at + 2 * MINUTE, replayed: true });

    expect(late("on_replay: run")).toBe("too-old");
    expect(late("on_replay: skip")).toBe("replayed");
    expect(late("on_replay: notify")).toBe("replayed");
  });
});

describe("a rule for the other direction", () => {
  const sent: AccountEvent = { ...event, direction: "outbound", triggers: ["dm.sent"] };

  it("is skipped, whatever its further triggers are", () => {
    const outbound = "{trigger: dm.received, direction: outbound}";

    expect(reasonOf([`triggers: [${outbound}, post.mentioned]`])).toBe("not-own-event");
    expect(reasonOf([`triggers: [post.mentioned, ${outbound}, dm.received]`])).toBe("matched");
    const echo: AccountEvent = { ...event, direction: "outbound" };
    expect(verdicts(["triggers: [dm.received]"], { of: echo })).toMatchObject([
      { outcome: "skipped", reason: "own-event" },
    ]);
    expect(
      verdicts(["triggers: [post.mentioned, {trigger: dm.sent, direction: outbound}]"], {
        of: sent,
      }),
    ).toHaveLength(1);
  });

  it("is judged without a kind of conversation for a post", () => {
    expect(reasonOf(["triggers: [post.mentioned]"], { of: postMentioned() })).toBe("matched");
  });
});

describe("a fallback without a named group", () => {
  const rule = (id: string, keys: string) =>
    `{id: ${id}, triggers: [dm.received], ${keys}actions: [{reply_dm: hi}]}`;
  const reasons = (one: string, other: string) => {
    const texts = [one, other].map(
      (rules) => `version: 1\ngroups: {g: {match: first}}\nrules: [${rules}]`,
    );
    const { ruleset } = compile(texts.map((text, index) => ({ path: `${index}.yaml`, text })));
    return explain(event, ruleset, { now: event.at }).map(({ ruleId, reason, clause }) => {
      return [ruleId, reason, clause?.actual].filter((part) => part !== undefined);
    });
  };

  it("answers only if no rule of any file has answered", () => {
    expect(reasons(rule("a", ""), rule("b", "fallback: true, "))).toEqual([
      ["a", "matched"],
      ["b", "group-already-matched", "a"],
    ]);
    expect(reasons(rule("a", "enabled: false, "), rule("b", "fallback: true, "))).toEqual([
      ["a", "disabled"],
      ["b", "matched"],
    ]);
  });

  it("differs from a fallback of a named group, which only this group's answers stop", () => {
    const rules = rule("b", "group: g, fallback: true, ");

    expect(reasons(rule("a", ""), rules)).toEqual([
      ["a", "matched"],
      ["b", "matched"],
    ]);
  });
});
