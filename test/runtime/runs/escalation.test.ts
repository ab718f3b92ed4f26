import { describe, expect, it } from "vitest";
import type { LoadedBot } from "../../../src/bots/messages.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type Life, type LifeNeeds, liveOn, type Said } from "./lives.ts";

const RULES = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: number
        ask: {text: "Which number?", within: 15m, on_timeout: [{reply_dm: "I'll be here."}, stop]}
      - reply_dm: "Looking for \${{ steps.number.text }}."
  - id: later
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: remind}}]
    actions: [{delay: 10m}, {reply_dm: A reminder.}]
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply_dm: Hello!}]
  - id: fallback
    fallback: true
    triggers: [dm.received]
    actions: [{reply_dm: "Sorry?"}]
  - id: human
    group: none
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions:
      - escalate:
          queue: support
          priority: high
          note: "wrote: \${{ message.text }}"
          evidence: {said: "\${{ message.text }}"}
          pause_bot: {for: 12h, until: resolved}
      - reply_dm: A person takes over.
`;
const MINUTE = 60_000;
const TEN_HOURS = 600 * MINUTE;

const world = worldOfEach(folderPlace, { rules: RULES });
const { live, restart, said } = world;
const texts = (): string[] => world.platform.map(({ text }) => text);
/** Returns the decision on the newest journal entry, once the entry has been decided. */
const decided = () =>
  when(async () => {
    await world.bot.sends();
    const [row] = await world.store.journal({ limit: 1 });
    return row?.state === "open" ? undefined : JSON.parse(row?.decision ?? "{}");
  });
const statuses = () =>
  when(async () => {
    await world.bot.sends();
    const rows = await world.store.journal({ limit: 100 });
    const runs = rows.toReversed().flatMap((row) => row.runs);
    const open = runs.some(({ status }) => status === "ready");
    return open ? undefined : runs.map(({ owner, status }) => `${owner} ${status}`);
  });

describe("a person who asks for help", () => {
  it("is handed over with note and evidence, gets a message about it, and no other answer", async () => {
    const bot = await live();
    await bot.hears("1", "200", "a human please");
    expect(await said(1)).toEqual(["A person takes over."]);
    expect(await decided()).toMatchObject({ ran: ["human"], paused: "rule human" });

    await bot.hears("2", "200", "hello?");
    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 1" });
    await bot.hears("3", "201", "hello");
    expect(await said(2)).toEqual(["A person takes over.", "Hello!"]);
    expect(await world.store.escalations({ limit: 9 })).toEqual([
      {
        id: 1,
        key: "1/rule:human/actions[0]#1",
        run: "1/rule:human",
        seq: 1,
        account: "100",
        lane: "100/200",
        username: "ana",
        queue: "support",
        priority: "high",
        note: "wrote: a human please",
        evidence: { said: "a human please" },
        at: world.clock.now(),
        silences: {
          scope: "100/200",
          until: world.clock.now() + 720 * MINUTE,
          untilResolved: true,
        },
      },
    ]);
  });

  it("is still handed over after the process was killed", async () => {
    const bot = await live();
    await bot.hears("1", "200", "human");
    await said(1);
    const again = await restart();
    await again.hears("2", "200", "hello");

    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 1" });
    expect(texts()).toEqual(["A person takes over."]);
  });

  it("is answered again once the hand-over is resolved, or its time is over", async () => {
    const bot = await live();
    await bot.hears("1", "200", "human");
    await said(1);
    await bot.hears("2", "201", "human");
    await said(2);
    await world.store.resolveEscalation(1, world.clock.now());
    await bot.hears("3", "200", "hello");
    expect((await said(3)).at(-1)).toBe("Hello!");

    world.clock.advance(TEN_HOURS);
    await bot.hears("4", "201", "hello");
    expect(await decided()).toMatchObject({ ran: [] });
    world.clock.advance(TEN_HOURS);
    await bot.hears("5", "201", "hello");
    expect((await said(4)).at(-1)).toBe("Hello!");
  });

  it("still gets answers of rules that interrupt", async () => {
    const bot = await live();
    await bot.hears("1", "200", "human");
    await said(1);
    await bot.hears("2", "200", "human!!");

    expect(await said(2)).toEqual(["A person takes over.", "A person takes over."]);
    expect((await world.store.escalations({ limit: 9 })).map(({ id }) => id)).toEqual([2, 1]);
  });

  it("gets no further questions and reminders of open runs", async () => {
    const bot = await live();
    await bot.hears("1", "200", "my order");
    await said(1);
    await bot.hears("2", "201", "remind me");
    await bot.hears("3", "200", "human");
    await said(2);
    await bot.hears("4", "201", "human");
    await said(3);
    await bot.hears("5", "200", "A12345");
    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 1" });
    world.clock.advance(20 * MINUTE);
    bot.wake();

    await when(async () => ((await statuses()).includes("rule:later stopped") ? true : undefined));
    expect(await statuses()).toEqual([
      "rule:order stopped",
      "rule:later stopped",
      "rule:human done",
      "rule:human done",
    ]);
    expect(texts().filter((text) => text !== "A person takes over.")).toEqual(["Which number?"]);
  });
});

describe("a pause by a rule or a bot", () => {
  const rulesWith = (pause: string): string =>
    RULES.replace("pause_bot: {for: 12h, until: resolved}", `pause_bot: ${pause}`);

  it.each([
    { why: "for a time", pause: "{for: 2h}" },
    { why: "until it is resolved", pause: "{until: resolved}" },
    { why: "for a time or until it is resolved", pause: "{for: 2h, until: resolved}" },
    { why: "for everybody, for a time", pause: "{per: account, for: 2h}" },
  ])("ends when it is resolved, after $why, over a restart", async ({ pause }) => {
    const bot = await live({ rules: rulesWith(pause) });
    await bot.hears("1", "200", "human");
    await said(1);
    await bot.hears("2", "200", "hello?");
    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 1" });

    await world.store.resolveEscalation(1, world.clock.now());
    const again = await restart({ rules: rulesWith(pause) });
    await again.hears("3", "200", "hello");
    expect(await said(2)).toEqual(["A person takes over.", "Hello!"]);
  });

  it("continues for each open hand-over of the person, and affects no other person", async () => {
    const bot = await live({ rules: rulesWith("{for: 2h}") });
    for (const [index, from] of ["200", "200", "201"].entries()) {
      await bot.hears(String(index), from, "human");
      await said(index + 1);
    }
    await world.store.resolveEscalation(1, world.clock.now());
    await bot.hears("4", "200", "hello");
    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 2" });
    await world.store.resolveEscalation(2, world.clock.now());
    await bot.hears("5", "200", "hello");
    expect((await said(4)).at(-1)).toBe("Hello!");
    await bot.hears("6", "201", "hello");
    expect(await decided()).toMatchObject({ ran: [], paused: "escalation 3" });
  });
});

describe("a rule that has reached its limit", () => {
  it("sends its message once in the period, and starts no runs until the end of it", async () => {
    const limit = "limit: {max: 1, in: 1h, overflow: escalate, queue: trust-safety}";
    const triggers = "triggers: [dm.received]";
    const actions = "actions: [{reply_dm: Hello!}]";
    const bot = await live({
      rules: `version: 1\nrules: [{id: hello, ${triggers}, ${limit}, ${actions}}]\n`,
    });
    await bot.hears("1", "200", "hello");
    await said(1);
    for (const id of ["2", "3"]) await bot.hears(id, "200", "hello");
    await decided();
    world.clock.advance(61 * MINUTE);
    await bot.hears("4", "200", "hello");

    expect(await said(2)).toEqual(["Hello!", "Hello!"]);
    expect(await world.store.escalations({ limit: 9 })).toMatchObject([
      { key: "3/rule:hello/limit#1", queue: "trust-safety" },
    ]);
  });
});

describe("a paused bot", () => {
  const BOT: LoadedBot = { name: "chatty", file: "/chatty.ts", triggers: ["dm.received"] };

  it("is not called, and its late answers are not sent", async () => {
    let answer = (_text: string): void => {};
    const handle: LifeNeeds["handle"] = ({ event }) =>
      new Promise((resolve) => {
        const to = "sender" in event ? event.sender.id : "";
        answer = (text) => resolve({ actions: [{ type: "reply_dm", to, text }] });
      });
    const rules = RULES.replace("contains_word: hello", "contains_word: nothing");
    const bot = await live({ bots: [BOT], handle, rules });
    await bot.hears("1", "200", "think about it, order nothing");
    await when(async () => ((await world.store.stats()).runs.ready === 1 ? true : undefined));
    const late = answer;
    await bot.hears("2", "200", "human");
    await bot.hears("3", "200", "hello?");
    await when(async () => ((await decided())?.paused === "escalation 1" ? true : undefined));
    late("what I think");

    const after = await when(async () => {
      const all = await statuses();
      return all.includes("bot:chatty stopped") ? all : undefined;
    });
    expect(after.filter((one) => one.startsWith("bot:"))).toEqual(["bot:chatty stopped"]);
    expect(texts()).not.toContain("what I think");
  });
});

describe("a process that ends while a person is handed over", () => {
  /**
   * Delivers both messages. The bot's process dies after `writes` writes to the store, and another process continues.
   */
  async function handedOver(writes: number) {
    const here = await modelPlace();
    const sent: Said[] = [];
    let writeCount = 0;
    let disk = await here.open();
    const living = (most: number): Promise<Life> =>
      liveOn({
        store: disk,
        clock: world.clock,
        rules: RULES,
        platform: sent,
        writes: most,
        onWrite: () => (writeCount += 1),
      });
    let bot = await living(writes);
    let isDead = false;
    void bot.died.then(() => (isDead = true));
    for (const [index, text] of ["human", "hello?"].entries()) {
      for (let isHeard = false; ;) {
        if (isDead) {
          isDead = false;
          await bot.end();
          await disk.close();
          disk = await here.open();
          bot = await living(Infinity);
        }
        try {
          if (!isHeard) await bot.hears(String(index + 1), "200", text);
          isHeard = true;
          await bot.sends();
        } catch (error) {
          if (!(error instanceof StoreError)) throw error;
        }
        bot.wake();
        await new Promise((resolve) => setImmediate(resolve));
        const { inbox, runs, items } = await disk.stats();
        if (isHeard && inbox + runs.ready + runs.waiting + items.pending === 0) break;
      }
    }
    const escalations = await disk.escalations({ limit: 9 });
    await bot.end();
    await disk.close();
    await here.remove();
    return { writeCount, texts: sent.map(({ text }) => text), escalations: escalations.length };
  }

  it("hands over once, answers once and is silent, after whichever write it ends", async () => {
    const { writeCount } = await handedOver(Infinity);
    expect(writeCount).toBeGreaterThan(4);
    for (let writes = 1; writes <= writeCount; writes += 1) {
      const { texts: said, escalations } = await handedOver(writes);
      const expected = { writes, said: ["A person takes over."], escalations: 1 };
      expect({ writes, said, escalations }).toEqual(expected);
    }
  });
});
