import { describe, expect, it } from "vitest";
import { when } from "../../support/when.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type LifeNeeds } from "./lives.ts";

/** Returns a rule with the id `id` whose runs take some time. */
const redeem = (id: string, keys: string) => `version: 1
rules:
  - id: ${id}
    ${keys}
    key: \${{ captures.code }}
    triggers: [dm.received]
    conditions: [{message.text: {matches: '\\b(?P<code>[A-Z]\\d+)\\b'}}]
    actions:
      - call: ./codes.ts#take
        with: {user: "\${{ sender.id }}"}
      - reply_dm: yours
`;
const order = (id: string, keys: string) => `version: 1
rules:
  - id: ${id}
    ${keys}
    triggers: [dm.received]
    conditions: [{message.text: {contains: order}}]
    actions:
      - id: no
        ask: {text: Which?, within: 15m}
      - reply_dm: "It is \${{ steps.no.text }}."
`;

const world = worldOfEach(folderPlace);
const { rest } = world;

const live = (rules: string, over: Partial<LifeNeeds> = {}) => world.live({ rules, ...over });
/** Ends the process, and starts the next one with other rules. */
const restart = (rules: string, over: Partial<LifeNeeds> = {}) => world.restart({ rules, ...over });
/**
 * Waits until `count` messages have been decided. Returns the owner and status of the runs that each message started.
 */
const started = (count: number) =>
  when(async () => {
    const rows = await world.store.journal({ limit: 20 });
    if (rows.length < count || rows.some(({ state }) => state !== "done")) return undefined;
    return rows.toReversed().map(({ runs }) => runs.map((run) => `${run.owner} ${run.status}`));
  });
const texts = async (count: number) => {
  await world.said(count);
  return world.platform.map(({ to, text }) => `${to} ${text}`);
};

/** Records module calls. Each call ends when the test answers it. */
function desk() {
  const inputs: string[] = [];
  const answers: (() => void)[] = [];
  const call: NonNullable<LifeNeeds["call"]> = async ({ input }) => {
    inputs.push(JSON.stringify(input));
    await new Promise<void>((resolve) => answers.push(resolve));
    return { ok: true, value: null };
  };
  const count = (wanted: number) =>
    when(async () => {
      await world.bot.sends();
      return inputs.length >= wanted ? inputs : undefined;
    });
  return { call, calls: count, answer: () => answers.shift()?.() };
}

describe("a slot held by runs that began before their rule was renamed", () => {
  it("is held for the rule under its new name: mode single ignores further messages", async () => {
    await live(redeem("old", "mode: single"), { call: desk().call });
    await world.bot.hears("1", "200", "A1");
    await started(1);
    const codes = desk();
    await restart(redeem("new", "formerly: [old]\n    mode: single"), { call: codes.call });
    await world.bot.hears("2", "300", "A1");
    await world.bot.hears("3", "400", "B2");

    expect(await started(3)).toEqual([["rule:old ready"], [], ["rule:new ready"]]);
    await codes.calls(2);
    codes.answer();
    codes.answer();
    await rest();
    await world.bot.hears("4", "300", "A1");
    expect((await started(4)).at(-1)).toEqual(["rule:new ready"]);
    await codes.calls(3);
    codes.answer();
    await rest();
  });

  it("passes on to runs that wait under the new name, in their order", async () => {
    await live(redeem("old", "mode: queued"), { call: desk().call });
    await world.bot.hears("1", "200", "A1");
    await started(1);
    await world.bot.hears("2", "300", "A1");
    expect(await started(2)).toEqual([["rule:old ready"], ["rule:old waiting"]]);
    const codes = desk();
    await restart(redeem("new", "formerly: [old]\n    mode: queued"), { call: codes.call });
    await world.bot.hears("3", "400", "A1");
    expect((await started(3)).at(-1)).toEqual(["rule:new waiting"]);

    for (const count of [1, 2, 3]) {
      await codes.calls(count);
      codes.answer();
    }
    await rest();
    expect(await codes.calls(3)).toEqual(['{"user":"200"}', '{"user":"300"}', '{"user":"400"}']);
  });

  it("counts for mode parallel", async () => {
    const parallel = "mode: parallel\n    max: 2";
    await live(redeem("older", parallel), { call: desk().call });
    await world.bot.hears("1", "200", "A1");
    await started(1);
    await restart(redeem("old", `formerly: [older]\n    ${parallel}`), { call: desk().call });
    await world.bot.hears("2", "300", "A1");
    await started(2);
    const codes = desk();
    await restart(redeem("new", `formerly: [old, older]\n    ${parallel}`), { call: codes.call });
    await world.bot.hears("3", "400", "A1");

    expect((await started(3)).at(-1)).toEqual([]);
    await codes.calls(2);
    codes.answer();
    codes.answer();
    await rest();
  });

  it("is taken over with mode restart, even if the earlier run waits for an answer", async () => {
    await live(order("old", "mode: restart"));
    await world.bot.hears("1", "200", "my order");
    await texts(1);
    await restart(order("new", "formerly: [old]\n    mode: restart"));
    await world.bot.hears("2", "200", "my order!");
    await texts(2);
    await world.bot.hears("3", "200", "7");

    expect(await texts(3)).toEqual(["200 Which?", "200 Which?", "200 It is 7."]);
    await rest();
    expect(await started(3)).toEqual([["rule:old stopped"], ["rule:new done"], []]);
  });

  it("belongs to another rule without `formerly`", async () => {
    await live(redeem("old", "mode: single"), { call: desk().call });
    await world.bot.hears("1", "200", "A1");
    await started(1);
    const codes = desk();
    await restart(redeem("new", "mode: single"), { call: codes.call });
    await world.bot.hears("2", "300", "A1");

    expect((await started(2)).at(-1)).toEqual(["rule:new ready"]);
    await codes.calls(2);
    codes.answer();
    codes.answer();
    await rest();
  });
});
