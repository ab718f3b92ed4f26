import { describe, expect, it, test } from "vitest";
import type { Json } from "../../../src/protocol/json.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { decide, matching, stateKeys } from "../../../src/rules/decide/decide.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { messageReceived } from "../../support/events.ts";
import { rulesetOf } from "../support/compiling.ts";

const rules = (head: string, bound: string) =>
  rulesetOf(`rules: [{${head}, triggers: [dm.received], ${bound}, actions: [{reply_dm: hi}]}]`);
const event = messageReceived();

/** Decides `times` messages one after the other, and returns how many of them start a run. */
function started(memory: Map<string, Json>, ruleset: Ruleset, times: number): number {
  let count = 0;
  for (let time = 0; time < times; time++) {
    const { runs, changes } = decide(event, ruleset, {
      now: event.at + time,
      read: (key) => memory.get(key),
    });
    for (const { key, value } of changes) memory.set(key, value);
    count += runs.length;
  }
  return count;
}

describe("a rule with a former id", () => {
  test.each([
    ["cooldown: {per: sender, for: 1h}", 1, 0, "its cooldown"],
    ["limit: {per: rule, max: 5, in: 1h, overflow: drop}", 2, 3, "its limit, what is left of it"],
  ])("keeps its %s: %s", (bound, before, after, _why) => {
    const memory = new Map<string, Json>();

    expect(started(memory, rules("id: a", bound), before)).toBe(before);
    const renamed = rules("id: c, formerly: [b, a]", bound);
    expect(started(memory, renamed, 5)).toBe(after);
    expect(started(memory, renamed, 5)).toBe(0);
    // without `formerly`, the renamed rule counts as a new one
    expect(started(memory, rules("id: d", bound), 1)).toBe(1);
  });

  it("loads the values stored under its former ids", () => {
    const work = matching(event, rules("id: b, formerly: [a]", "cooldown: {per: rule, for: 1h}"), {
      now: event.at,
    });
    let piece = work.next();
    while (piece.done !== true) piece = work.next();

    expect(stateKeys(piece.value)).toEqual(["cooldown/b", "cooldown/a"]);
  });

  it("has the former ids of a used file, with the name of the use", () => {
    const text = "version: 1\nuse: [{file: b.yaml, as: b}]";
    const used =
      "version: 1\nrules: [{id: new, formerly: [old], triggers: [dm.received], actions: [like]}]";
    const named = { "b.yaml": { text: used.replace("[like]", "[follow]") } };
    const { ruleset } = compile([{ path: "a.yaml", text, named }]);

    expect(ruleset.byId.get("b.new")?.formerly).toEqual(["b.old"]);
  });
});
