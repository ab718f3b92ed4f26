import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { when } from "../../support/when.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type Story, walk } from "./walk.ts";

const slow = (keys: string) => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    ${keys}
    conditions: [{message.text: {contains: order}}]
    actions:
      - id: number
        ask: {text: What is your number?, within: 2h}
      - reply_dm: "You are \${{ steps.number.text }}."
      - wait_for: {trigger: dm.received, within: 2h, on_timeout: [{stop: done}]}
`;

describe("a rule with a timeout", () => {
  const TIMED = slow("timeout: 30m");
  const STORY: Story = {
    rules: TIMED,
    script: ["an order"],
    texts: ["What is your number?"],
    runs: ["failed"],
    tickMs: 60_000,
  };

  it("ends its run as failed after the timeout, wherever the process ends", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(4);
    expect(await walk(STORY, folderPlace, 3)).toBeGreaterThan(4);
  });

  it("then runs its steps for an error, which know the reason", async () => {
    const handled = `${TIMED}    on_error: [{reply_dm: "\${{ error.code }} in \${{ error.step }}"}]
`;
    const texts = ["What is your number?", "timeout in actions[0]"];

    expect(await walk({ ...STORY, rules: handled, texts }, modelPlace, 1)).toBeGreaterThan(5);
  });

  it("does not affect a run that ends in time", async () => {
    const script = ["an order", "7"];
    const texts = ["What is your number?", "You are 7."];
    const rules = TIMED.replace("30m", "3h");

    const story = { ...STORY, rules, script, texts, runs: ["stopped", "stopped"].slice(1) };
    expect(await walk(story, modelPlace, 3)).toBeGreaterThan(5);
  });
});

describe("a run that ends during a call", () => {
  const world = worldOfEach(modelPlace);

  it("makes room for the next call of its rule, and notifies its own", async () => {
    const signals: AbortSignal[] = [];
    const bot = await world.live({
      rules: `version: 1
rules:
  - {id: look, mode: restart, triggers: [dm.received], actions: [{call: ./a.ts#look}, {reply_dm: found}]}
`,
      call: (_step, signal) => {
        signals.push(signal);
        // the first call never returns
        return signals.length === 1
          ? new Promise(() => {})
          : Promise.resolve({ ok: true, value: null });
      },
    });
    await bot.hears("1", "200", "look");
    await when(() => signals[0]);

    await bot.hears("2", "200", "look again");

    expect(await world.said(1)).toEqual(["found"]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});

describe("an open run whose rule is saved again", () => {
  const world = worldOfEach(modelPlace);
  const { said } = world;
  const begin = async (rules: string) => {
    const bot = await world.live({ rules });
    await bot.hears("1", "200", "an order");
    await said(1);
  };
  const runs = async () => {
    const rows = await world.store.journal({ limit: 9 });
    return rows.flatMap((row) => row.runs.map(({ status, body }) => [status, reasonIn(body)]));
  };
  const reasonIn = (body: string): unknown => JSON.parse(body).ended?.reason;
  const CANCEL = slow("on_reload: cancel");

  it("continues with the old rule, unless the rule says otherwise", async () => {
    await begin(slow("on_reload: finish"));
    await world.bot.reloads(slow("on_reload: finish").replace("You are", "So you are"));
    await world.bot.hears("2", "200", "7");

    expect((await said(2)).at(-1)).toBe("You are 7.");
  });

  it("is cancelled at once when its rule was changed and says so", async () => {
    await begin(CANCEL);
    await world.bot.reloads(CANCEL.replace("You are", "So you are"));

    expect(await runs()).toEqual([["stopped", "its rule was changed"]]);
    expect(await world.store.listeners("100/200")).toEqual([]);
  });

  it("is cancelled where a count started it, by one of several numbers", async () => {
    const strikes = `version: 1
rules:
  - id: strike
    group: none
    triggers: [dm.received]
    actions: [{count: {name: order, per: sender, window: 7d}}]
  - id: warn
    group: none
    on_reload: cancel
    triggers:
      - {trigger: count.reached, of: order, at: 1}
      - {trigger: count.reached, of: order, at: 2}
    actions: [{reply_dm: "That is \${{ count.value }}."}, {delay: 1h}]
`;
    await begin(strikes);
    await world.bot.reloads(strikes.replace("That is", "It is"));

    expect(await runs()).toEqual([
      ["done", "all steps are done"],
      ["stopped", "its rule was changed"],
    ]);
  });

  it("is cancelled when its rule was removed", async () => {
    await begin(CANCEL);
    await world.bot.reloads(CANCEL.replace("id: order", "id: other"));

    expect(await runs()).toEqual([["stopped", "its rule was removed"]]);
  });

  it("continues when only another rule was changed", async () => {
    const other = "  - {id: b, triggers: [user.followed], actions: [{reply_dm: hi}]}\n";
    await begin(CANCEL + other);
    await world.bot.reloads(CANCEL + other.replace("hi", "hello"));

    expect(await runs()).toEqual([["waiting", undefined]]);
  });

  it("does not send its unsent items", async () => {
    await world.live({ rules: CANCEL });
    await world.bot.hears("1", "200", "an order");
    await when(async () => ((await world.store.items({ limit: 1 })).length > 0 ? true : undefined));
    await world.bot.reloads(CANCEL.replace("You are", "So you are"));

    expect(await world.store.items({ limit: 9 })).toMatchObject([
      { status: "expired", reason: "its run has ended" },
    ]);
  });

  it("is not resumed either if its process ended before it could cancel it", async () => {
    await begin(CANCEL);
    await world.bot.end();
    const rules = CANCEL.replace("You are", "So you are");
    await world.live({ rules });
    await world.bot.hears("2", "200", "an order, please");
    await said(2);
    await when(async () => (await world.store.stats()).inbox === 0 || undefined);
    world.clock.advance(3 * 3_600_000);
    world.bot.wake();

    await when(async () => (await runs()).every(([status]) => status !== "waiting") || undefined);
    expect(world.platform.map(({ text }) => text)).toEqual([
      "What is your number?",
      "What is your number?",
    ]);
    expect(await runs()).toContainEqual(["stopped", "its rule was changed"]);
  });
});
