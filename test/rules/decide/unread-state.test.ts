import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { matching } from "../../../src/rules/decide/decide.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const rule = (id: string, conditions: string) =>
  `{id: ${id}, group: none, triggers: [dm.received], conditions: [${conditions}], actions: [{reply_dm: hi}]}`;
const ruleset = rulesetOf(
  `rules: [${[
    rule("plain", "{message.text: {contains: hello}}"),
    rule("first", "{state.sender.a: 1}"),
    rule("second", '{if: "has(state.sender.b) && state.sender.b == 2"}'),
    rule("third", "{state.sender.a: 1}, {state.account.c: 3}"),
  ].join(", ")}]`,
);

/** Rules over state that is read when a piece asks for it: those that ran, what was read, what was asked how often. */
function decided(kept: Readonly<Record<string, Json>>) {
  const event = messageReceived({ text: "hello" });
  const known = new Map<string, Json | undefined>();
  const asked: string[] = [];
  let unread = false;
  const work = matching(event, ruleset, {
    now: event.at,
    read: (key) => {
      const name = key.split("/").at(-1) ?? "";
      asked.push(name);
      unread ||= !known.has(name);
      return known.get(name);
    },
    isUnread: () => unread,
  });
  const loads: string[][] = [];
  let piece = work.next();
  for (; piece.done !== true; piece = work.next()) {
    if (piece.value === undefined) continue;
    const names = piece.value.map((key) => key.split("/").at(-1) ?? "");
    loads.push(names);
    for (const name of names) known.set(name, kept[name]);
    unread = false;
  }
  const { judged } = piece.value;
  const ran = judged.flatMap(({ rule: one, start }) => (start === undefined ? [] : [one.id]));
  return { ran, loads, asked: asked.join(" ") };
}

describe("rules that ask for state which has not been read", () => {
  it("have it read at once for all of them, and only the first is judged again", () => {
    expect(decided({ a: 1, b: 2, c: 3 })).toEqual({
      ran: ["plain", "first", "second", "third"],
      loads: [["a", "b", "c"]],
      asked: "a a b a c",
    });
  });

  it("see in expressions what was read since", () => {
    expect(decided({ b: 2 }).ran).toEqual(["plain", "second"]);
  });

  it("have nothing read where none asks", () => {
    const none = rulesetOf(`rules: [${rule("plain", "{message.text: {contains: hello}}")}]`);
    const event = messageReceived({ text: "hello" });
    const work = matching(event, none, { now: event.at, isUnread: () => false });

    expect(work.next().done).toBe(true);
  });
});
