import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { type DecideContext, matching } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const rule = (id: string, conditions: string, keys = "group: none") =>
  `{id: ${id}, ${keys}, triggers: [dm.received], conditions: [${conditions}], actions: [{reply_dm: hi}]}`;
const PLAIN = "{message.text: {contains: hello}}";
/** Condition that no index of the rules covers, so that it is evaluated for each event. */
const BY_EXPRESSION = `{if: "state.sender.b.orValue('').size() == 2"}`;
const first = rule("first", "{state.sender.a: 1}");
const second = rule("second", BY_EXPRESSION);
const third = rule("third", "{state.sender.a: 1}, {state.account.c: 3}");

/** Matches rules, reading state when a rule needs it. Returns the rules that ran, the state, and the reads by name. */
function decided(
  rules: readonly string[],
  stored: Readonly<Record<string, Json>>,
  more: Pick<DecideContext, "paused" | "replayed"> = {},
) {
  const event = messageReceived({ text: "hello" });
  const reads = new Map<string, Json | undefined>();
  const keys: string[] = [];
  let unread = false;
  const work = matching(event, rulesetOf(`rules: [${rules.join(", ")}]`), {
    now: event.at,
    ...more,
    read: (key) => {
      const name = key.split("/").at(-1) ?? "";
      keys.push(name);
      unread ||= !reads.has(name);
      return reads.get(name);
    },
    isUnread: () => unread,
  });
  const loads: string[][] = [];
  let piece = work.next();
  for (; piece.done !== true; piece = work.next()) {
    if (piece.value === undefined) continue;
    const names = piece.value.map((key) => key.split("/").at(-1) ?? "");
    const unknown = names.filter((name) => !reads.has(name));
    if (unknown.length > 0) loads.push(unknown.toSorted());
    for (const name of unknown) reads.set(name, stored[name]);
    unread = false;
  }
  const { judged } = piece.value;
  const ran = judged.flatMap(({ rule: one, start }) => (start === undefined ? [] : [one.id]));
  return { ran, loads, asked: keys.join(" ") };
}

const OWN = `{id: last, group: none, triggers: [{trigger: dm.received, direction: outbound}], conditions: [{state.sender.a: 1}], actions: [{log: hi}]}`;
const BARRED = [
  { why: "their group has answered", keys: "stage: live", more: {} },
  { why: "they are silent", keys: "group: none", more: { paused: "escalation 1" } },
  { why: "they leave what comes late", keys: "on_replay: skip", more: { replayed: true } },
  { why: "they are for another account", keys: 'account: "999"', more: {} },
  { why: "they are not in force yet", keys: 'active: {from: "2099-01-01T00:00:00Z"}', more: {} },
];

describe("rules on state that has not been read yet", () => {
  it("have the state of all rules read together, before the first one is judged", () => {
    expect(decided([rule("plain", PLAIN), first, second, third], { a: 1, b: "xx", c: 3 })).toEqual({
      ran: ["plain", "first", "second", "third"],
      loads: [["a", "b", "c"]],
      asked: "c a a b a c",
    });
  });

  it("have the state of all rules read together, while only the rule in question is judged again", () => {
    expect(decided([second, first, third], { a: 1, b: "xx", c: 3 })).toEqual({
      ran: ["second", "first", "third"],
      loads: [["a", "b", "c"]],
      asked: "b b c a a a c",
    });
  });

  it("see values in expressions that were read since", () => {
    expect(decided([first, second, third], { b: "xx" }).ran).toEqual(["second"]);
  });

  it("are not judged if another value is stored", () => {
    expect(decided([first, third], { a: 2, c: 3 })).toEqual({
      ran: [],
      loads: [["a", "c"]],
      asked: "c a",
    });
  });

  it("have nothing read if no condition needs it", () => {
    expect(decided([rule("plain", PLAIN)], {}).loads).toEqual([]);
  });

  it.each(BARRED)("have nothing read if $why", ({ keys, more }) => {
    const rules = [rule("plain", PLAIN, keys), rule("last", "{state.sender.a: 1}", keys)];

    expect(decided(rules, { a: 1 }, more).loads).toEqual([]);
  });

  it.each(BARRED)("leave the turn to another rule if $why", ({ keys, more }) => {
    const free = "group: none, interrupts: true";
    const barred = `${keys}, interrupts: ${more.paused === undefined}`;
    const rules = [
      rule("plain", PLAIN, barred),
      rule("last", "{state.sender.a: 1}", barred),
      rule("free", "{state.sender.a: 1}", free),
    ];

    expect(decided(rules, { a: 1 }, more).ran.filter((id) => id !== "plain")).toEqual(["free"]);
  });

  it("have nothing read for the account's own events", () => {
    expect(decided([OWN], { a: 1 }).loads).toEqual([]);
    expect(decided([OWN, first], { a: 1 }).ran).toEqual(["first"]);
  });
});

describe("lists in state", () => {
  it.each([
    "equals: vip",
    "in: [vip]",
    "contains: vip",
    "contains_word: vip",
    "contains_all: [vip]",
  ])("are searched for members: %s", (test) => {
    const asking = rule("list", `{state.sender.a: {${test}}}`);

    expect(decided([asking], { a: ["gold", "VIP"] }).ran).toEqual(["list"]);
    expect(decided([asking], { a: ["gold"] }).ran).toEqual([]);
  });
});
