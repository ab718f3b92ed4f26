import { describe, expect, it } from "vitest";
import { when } from "../../support/when.ts";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type LifeNeeds } from "./lives.ts";
import { walk } from "./walk.ts";

const ORDER = `version: 1
rules:
  - id: order-status
    triggers: [dm.received]
    conditions:
      - message.text: {matches: '(?i)\\bwhere.{0,20}\\border\\b|\\border status\\b'}
    actions:
      - id: order
        ask:
          text: What's your order number?
          expect: {matches: '(?i)#?\\b(?P<no>[A-Z]\\d{5})\\b'}
          retries: 2
          reprompt: It starts with a letter, like A12345.
          within: 15m
          on_timeout:
            - reply_dm: {text: I'll be here when you find it.}
            - stop: no answer
          on_invalid: [{reply_dm: A person will read this.}, stop]
      - id: lookup
        call: ./orders.ts#lookup
        with: {no: "\${{ steps.order.captures.no.upper() }}"}
        on_error:
          - reply_dm: {text: Our order system isn't answering.}
          - stop: {outcome: failed, reason: order lookup failed}
      - if: steps.lookup.result == "unknown"
        then:
          - reply_dm: {text: "I can't find \${{ steps.order.captures.no.upper() }}."}
        else:
          - reply_dm:
              text: "\${{ steps.order.captures.no.upper() }} is \${{ steps.lookup.result }}."
          - id: thanks
            wait_for:
              trigger: dm.received
              conditions: [{message.text: {contains_word: [thanks, thank you]}}]
              within: 10m
              on_timeout: [{stop: done}]
          - reply_dm: {text: "You're welcome!"}
  - id: human
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: [human, agent]}}]
    actions: [{reply_dm: A person is on the way.}]
  - id: hello
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hello}}]
    actions: [{reply_dm: Hello!}]
`;

const call: NonNullable<LifeNeeds["call"]> = async ({ input }) => ({
  ok: true,
  value: JSON.stringify(input) === '{"no":"A12345"}' ? "shipped" : "unknown",
});
const world = worldOfEach(folderPlace, { rules: ORDER, call });
const { live, restart, said, runsAre } = world;

const QUESTION = "What's your order number?";
const AGAIN = "It starts with a letter, like A12345.";

describe("a conversation", () => {
  it("asks, asks again, looks up, answers and waits for thanks", async () => {
    const bot = await live();
    await bot.hears("1", "200", "where is my order");
    expect(await said(1)).toEqual([QUESTION]);
    await bot.hears("2", "200", "dunno");
    expect(await said(2)).toEqual([QUESTION, AGAIN]);
    await bot.hears("3", "200", "#a12345");
    expect((await said(3)).at(-1)).toBe("A12345 is shipped.");
    await bot.hears("4", "200", "thanks!");
    expect((await said(4)).at(-1)).toBe("You're welcome!");

    await runsAre("done");
    expect(await world.store.listeners("100/200")).toEqual([]);
  });

  it("receives its answers: they start no other rule, and are explained by the run that received them", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "hello, it is A12345");

    expect((await said(2)).at(-1)).toBe("A12345 is shipped.");
    const [row] = await world.store.journal({ limit: 1 });
    expect(JSON.parse(row?.decision ?? "")).toMatchObject({ takenBy: "1/rule:order-status" });
  });

  it("ignores messages that it does not wait for; they start rules as usual", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "A12345");
    await said(2);
    await bot.hears("3", "200", "hello");

    expect((await said(3)).at(-1)).toBe("Hello!");
    await bot.hears("4", "200", "thank you");
    expect((await said(4)).at(-1)).toBe("You're welcome!");
  });

  it("continues to wait while a rule that interrupts answers", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "a human please");

    expect((await said(2)).at(-1)).toBe("A person is on the way.");
    await bot.hears("3", "200", "A12345");
    expect((await said(3)).at(-1)).toBe("A12345 is shipped.");
  });

  it("receives a message written right after the one that started it", async () => {
    const bot = await live();
    await Promise.all([bot.hears("1", "200", "order status"), bot.hears("2", "200", "A12345")]);

    expect(await said(2)).toEqual([QUESTION, "A12345 is shipped."]);
  });

  it("receives messages that a bot receives, too", async () => {
    const bots = [{ name: "all", file: "all.ts", triggers: ["dm.received"] as const }];
    const bot = await live({ bots });
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "200", "A12345");

    expect((await said(2)).at(-1)).toBe("A12345 is shipped.");
  });

  it("involves one person only", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await bot.hears("2", "300", "hello, A12345");

    expect((await said(2)).at(-1)).toBe("Hello!");
  });

  it("ends without an answer in time, also after a downtime", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await runsAre("waiting");
    await when(async () => ((await world.store.stats()).inbox === 0 ? true : undefined));
    world.clock.advance(16 * 60_000);
    await restart();

    expect((await said(2)).at(-1)).toBe("I'll be here when you find it.");
    await runsAre("stopped");
  });

  it("accepts an answer that arrived in time but was processed later", async () => {
    const bot = await live();
    await bot.hears("1", "200", "order status");
    await said(1);
    await when(async () => ((await world.store.stats()).inbox === 0 ? true : undefined));
    await bot.end();
    const late = await live({ writes: 1 });
    await late.hears("2", "200", "A12345").catch(() => undefined);
    world.clock.advance(20 * 60_000);
    await restart();

    expect((await said(2)).at(-1)).toBe("A12345 is shipped.");
  });
});

describe("a process that ends in the middle of a conversation", () => {
  const STORY = {
    rules: ORDER,
    script: ["where is my order", "dunno", "#a12345", "thanks!"],
    texts: [QUESTION, AGAIN, "A12345 is shipped.", "You're welcome!"],
    runs: ["done"],
    call,
  };

  it("continues from every write as if nothing had happened, and sends nothing twice", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(15);
  });

  it("does so on the disk", async () => {
    expect(await walk(STORY, folderPlace, 9)).toBeGreaterThan(15);
  });
});

describe("a thousand conversations that wait while their rule is edited", () => {
  const many = worldOfEach(modelPlace, { rules: ORDER, call });

  it("use the revision that they began with; new ones use the new revision", async () => {
    const people = Array.from({ length: 1_000 }, (_, n) => String(10_000 + n));
    const bot = await many.live();
    await Promise.all(people.map((from, n) => bot.hears(`1${n}`, from, "order status")));
    await many.said(1_000);
    await when(async () => ((await many.store.stats()).inbox === 0 ? true : undefined));
    many.platform.length = 0;
    const edited = await many.restart({
      rules: ORDER.replace(" is $", " has become $$").replace(QUESTION, "Your number?"),
    });

    await Promise.all(people.map((from, n) => edited.hears(`2${n}`, from, "A12345")));
    const texts = await many.said(1_000);
    await edited.hears("3", "200", "order status");

    expect(new Set(texts)).toEqual(new Set(["A12345 is shipped."]));
    expect(new Set(many.platform.map(({ to }) => to)).size).toBe(1_000);
    expect((await many.said(1_001)).at(-1)).toBe("Your number?");
    await edited.hears("4", "200", "A12345");
    expect((await many.said(1_002)).at(-1)).toBe("A12345 has become shipped.");
  });
});

describe("a wait whose conditions depend on the person's state", () => {
  const KEPT = `version: 1
rules:
  - id: vip
    interrupts: true
    triggers: [dm.received]
    conditions: [{message.text: vip}]
    actions: [{label: {add: [vip]}}]
  - id: waits
    triggers: [dm.received]
    conditions: [{message.text: begin}]
    actions:
      - wait_for:
          trigger: dm.received
          conditions: [{sender.labels: {contains: vip}}, {message.text: {contains_word: hi}}]
          within: 1h
          on_timeout: [{stop: nobody}]
      - reply_dm: Welcome.
`;

  it("reads the state at the time of the event", async () => {
    const bot = await live({ rules: KEPT });
    await bot.hears("1", "200", "begin");
    await runsAre("waiting");
    await bot.hears("2", "200", "hi");
    await bot.hears("3", "200", "vip");
    await bot.hears("4", "200", "hi again");

    expect(await said(1)).toEqual(["Welcome."]);
    const rows = await world.store.journal({ limit: 3 });
    expect(rows.map(({ decision = "{}" }) => JSON.parse(decision).takenBy)).toEqual([
      "1/rule:waits",
      undefined,
      undefined,
    ]);
  });
});
