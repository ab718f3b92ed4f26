import { describe, expect, it } from "vitest";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { when } from "../../../support/when.ts";
import { folderPlace } from "../../store/place.ts";
import { worldOfEach } from "../bot-world.ts";

const RULES = `version: 1
rules:
  - id: order
    group: none
    mode: restart
    on_reload: cancel
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - parallel:
          later: [{delay: 10m}, {reply_dm: Later.}]
          asks: [{id: size, ask: {text: "Which size?", within: 15m}}, {reply_dm: "Size \${{ steps.size.text }}."}]
          looks: [{call: ./a.ts#look}]
      - reply_dm: All done.
  - id: human
    group: none
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - escalate: {queue: support, pause_bot: {for: 12h}}
      - reply_dm: A person takes over.
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply_dm: Hello!}]
`;

const ENDED = ["stopped", "stopped", "stopped", "stopped"] as const;

describe.each([
  { name: "the disk", place: folderPlace },
  { name: "the model", place: modelPlace },
])("a run with open branches, on $name", ({ place }) => {
  const signals: AbortSignal[] = [];
  const world = worldOfEach(place, {
    rules: RULES,
    call: (_step, signal) => {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const begun = async () => {
    signals.length = 0;
    const bot = await world.live();
    await bot.hears("1", "200", "an order");
    await world.said(1);
    await when(() => signals[0]);
    return bot;
  };

  it("receives an answer in the branch that asked; the others continue", async () => {
    const bot = await begun();
    await bot.hears("2", "200", "hello, large");

    expect(await world.said(2)).toEqual(["Which size?", "Size hello, large."]);
    world.clock.advance(11 * 60_000);
    bot.wake();
    expect((await world.said(3)).at(-1)).toBe("Later.");
    await world.runsAre("waiting", "done", "done", "ready");
  });

  it("continues each branch separately after a restart", async () => {
    const bot = await begun();
    await bot.hears("2", "200", "large");
    await world.said(2);
    await world.restart({ call: async () => ({ ok: true, value: 1 }) });
    world.clock.advance(11 * 60_000);
    world.bot.wake();

    expect((await world.said(4)).slice(2)).toEqual(["Later.", "All done."]);
    await world.runsAre("done", "done", "done", "done");
  });

  it("ends with all branches when it starts over, and stops their waits", async () => {
    const bot = await begun();
    await bot.hears("2", "200", "another order");

    expect(await world.said(2)).toEqual(["Which size?", "Which size?"]);
    await world.runsAre(...ENDED, "waiting", "waiting", "waiting", "ready");
    await when(() => signals[1]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await bot.hears("3", "200", "large");
    expect((await world.said(3)).at(-1)).toBe("Size large.");
  });

  it("ends with all branches when a rule changes that cancels its runs", async () => {
    const bot = await begun();
    await bot.reloads(RULES.replace("All done.", "Over."));

    await world.runsAre(...ENDED);
    world.clock.advance(11 * 60_000);
    bot.wake();
    await bot.hears("2", "200", "hello");
    expect(await world.said(2)).toEqual(["Which size?", "Hello!"]);
  });

  it("ends with all branches when a person has taken over and a branch would answer", async () => {
    const bot = await begun();
    await bot.hears("2", "200", "a human please");
    expect((await world.said(2)).at(-1)).toBe("A person takes over.");
    world.clock.advance(11 * 60_000);
    bot.wake();

    await world.runsAre(...ENDED, "done");
    expect(world.platform).toHaveLength(2);
  });

  it("ends with all branches when the person opts out", async () => {
    const optOut = { words: ["stop"], back: ["start"], text: "Bye.", backText: "Hi." };
    await world.live({ restraints: { optOut } });
    await world.bot.hears("1", "200", "an order");
    await world.said(1);
    await world.bot.hears("2", "200", "stop");

    expect((await world.said(2)).at(-1)).toBe("Bye.");
    await world.runsAre(...ENDED);
  });

  it("fails with all branches if the result of one can't be decided", async () => {
    let isBroken = false;
    await world.live({
      restraints: {
        quietHoursOf: () => {
          if (isBroken) throw new Error("no hours");
          return undefined;
        },
      },
    });
    await world.bot.hears("1", "200", "an order");
    await world.said(1);
    isBroken = true;
    world.clock.advance(11 * 60_000);
    world.bot.wake();

    await world.runsAre("failed", "failed", "failed", "failed");
    expect(world.platform).toHaveLength(1);
  });

  it("treats a request that may have arrived as failed after a restart, once the other branches have ended", async () => {
    const rules = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - parallel:
          books: [{http: {method: POST, url: "https://shop.example/book"}}]
          other: [{delay: 1m}, {reply_dm: The other.}]
        on_error: [{reply_dm: "Booked? \${{ error.code }}."}]
`;
    let calls = 0;
    const request = () => {
      calls += 1;
      return new Promise<never>(() => {});
    };
    const bot = await world.live({ rules, request });
    await bot.hears("1", "200", "an order");
    await when(() => calls || undefined);
    await world.restart({ rules, request });
    await world.runsAre("waiting", "failed", "waiting");
    world.clock.advance(61_000);
    world.bot.wake();

    expect(await world.said(2)).toEqual(["The other.", "Booked? unknown."]);
    expect(calls).toBe(1);
  });

  it("is one run in which a branch may hand over to a person and continue", async () => {
    const rules = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions:
      - parallel:
          one: [{escalate: {queue: support, pause_bot: {for: 12h}}}, {reply_dm: A person looks.}]
          other: [{delay: 1s}, {reply_dm: The other.}]
      - reply_dm: All done.
`;
    const bot = await world.live({ rules });
    await bot.hears("1", "200", "an order");
    expect(await world.said(1)).toEqual(["A person looks."]);
    world.clock.advance(2_000);
    bot.wake();

    expect((await world.said(3)).slice(1)).toEqual(["The other.", "All done."]);
  });
});
