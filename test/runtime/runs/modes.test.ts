import { describe, expect, it } from "vitest";
import { modelPlace } from "../../simulation/store/model-place.ts";
import { when } from "../../support/when.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { type LifeNeeds } from "./lives.ts";
import { type Story, walk } from "./walk.ts";

/**
 * Returns a rule by which the first person who sends a code redeems the code. The rule calls a module, which takes some
 * time.
 */
const redeem = (keys: string) => `version: 1
rules:
  - id: redeem
    triggers: [dm.received]
    ${keys}
    conditions: [{message.text: {matches: '\\b(?P<code>[A-Z]\\d+)\\b'}}]
    actions:
      - id: take
        call: ./codes.ts#take
        with: {code: "\${{ captures.code }}", user: "\${{ sender.id }}"}
      - reply_dm: "\${{ captures.code }} \${{ steps.take.result }}"
`;
const QUEUED = redeem("mode: queued\n    key: ${{ captures.code }}");

const world = worldOfEach(modelPlace);
const { rest } = world;

const live = (rules: string, over: Partial<LifeNeeds> = {}) => world.live({ rules, ...over });
/** Returns the messages that people have received, once there are `count` of them. */
const said = async (count: number) => {
  await world.said(count);
  return world.platform.map(({ to, text }) => `${to}: ${text}`);
};
const runs = async () => {
  const rows = await world.store.journal({ limit: 20 });
  return rows.toReversed().flatMap((row) => row.runs.map(({ status }) => status));
};
/** Resolves when every event in the journal has been decided. */
const decided = () =>
  when(async () => {
    const rows = await world.store.journal({ limit: 50 });
    return rows.every(({ state }) => state === "done") || undefined;
  });
/** Records module calls. Each call ends when the test answers it. */
function desk() {
  const inputs: string[] = [];
  const answers: (() => void)[] = [];
  let most = 0;
  let atWork = 0;
  const call: NonNullable<LifeNeeds["call"]> = async ({ input }) => {
    inputs.push(JSON.stringify(input));
    atWork += 1;
    most = Math.max(most, atWork);
    await new Promise<void>((resolve) => answers.push(resolve));
    atWork -= 1;
    return { ok: true, value: "is yours" };
  };
  return {
    call,
    calls: (count: number) =>
      when(async () => {
        await world.bot.sends();
        return inputs.length >= count ? inputs : undefined;
      }),
    answer: () => answers.shift()?.(),
    most: () => most,
  };
}

describe("mode: queued", () => {
  it("makes two people who want the same code wait for each other", async () => {
    const codes = desk();
    await live(QUEUED, { call: codes.call });
    await world.bot.hears("1", "200", "A1");
    // conversations are processed concurrently: wait until the first one has the code
    await codes.calls(1);
    await world.bot.hears("2", "300", "A1");
    await world.bot.hears("3", "400", "B2");

    expect(await codes.calls(2)).toEqual([
      '{"code":"A1","user":"200"}',
      '{"code":"B2","user":"400"}',
    ]);
    codes.answer();
    expect((await codes.calls(3)).at(-1)).toBe('{"code":"A1","user":"300"}');
    codes.answer();
    codes.answer();
    await rest();
    expect(await runs()).toEqual(["done", "done", "done"]);
  });

  it("keeps the order of arrival, across lanes", async () => {
    const people = Array.from({ length: 8 }, (_, n) => String(200 + n));
    await live(redeem("mode: queued\n    key: ${{ captures.code }}\n    max: 20"));
    for (const [n, from] of people.entries()) {
      await world.bot.hears(String(n), from, "A1");
      // conversations are processed concurrently: wait, so that the order of the messages is known
      await decided();
    }
    await rest();

    expect(world.platform.map(({ to }) => to)).toEqual(people);
  });

  it("skips runs beyond the queue's limit, with a verdict", async () => {
    const codes = desk();
    await live(redeem("mode: queued\n    key: all\n    max: 1"), { call: codes.call });
    for (const n of [1, 2, 3]) {
      await world.bot.hears(String(n), `${n + 1}00`, "A1");
      await decided();
    }

    expect(await runs()).toEqual(["ready", "waiting"]);
    const [last] = await world.store.journal({ limit: 1 });
    expect(JSON.parse(last?.decision ?? "")).toMatchObject({
      ran: [],
      read: { "slot/redeem/key/all": [{ queues: false }, { queues: true }] },
    });
    codes.answer();
    await codes.calls(2);
    codes.answer();
    await rest();
  });

  it("never lets one user block another unless their keys are equal", async () => {
    const codes = desk();
    await live(redeem("mode: queued"), { call: codes.call });
    await world.bot.hears("1", "200", "A1");
    await world.bot.hears("2", "300", "A1");
    await world.bot.hears("3", "200", "B2");

    expect(await codes.calls(2)).toHaveLength(2);
    expect(codes.most()).toBe(2);
    codes.answer();
    codes.answer();
    expect((await codes.calls(3)).at(-1)).toBe('{"code":"B2","user":"200"}');
    codes.answer();
    await rest();
  });

  it("ends runs that have waited for a day", async () => {
    const codes = desk();
    await live(QUEUED, { call: codes.call });
    await world.bot.hears("1", "200", "A1");
    await codes.calls(1);
    await world.bot.hears("2", "300", "A1");
    await when(async () => ((await world.store.stats()).runs.waiting === 1 ? true : undefined));
    world.clock.advance(25 * 3_600_000);
    world.bot.wake();

    await when(async () => ((await world.store.stats()).runs.waiting === 0 ? true : undefined));
    expect(await runs()).toEqual(["ready", "stopped"]);
    codes.answer();
    await rest();
  });

  it("continues with the next run when a run ends without an effect", async () => {
    let calls = 0;
    let fail = (): void => {};
    const failed = new Promise<void>((resolve) => (fail = resolve));
    await live(QUEUED, {
      call: async () => {
        calls += 1;
        if (calls > 1) return { ok: true, value: "is yours" };
        await failed;
        return { ok: false, error: "broken" };
      },
    });
    await world.bot.hears("1", "200", "A1");
    await decided();
    await world.bot.hears("2", "300", "A1");
    await decided();
    expect(await runs()).toEqual(["ready", "waiting"]);
    fail();

    expect(await said(1)).toEqual(["300: A1 is yours"]);
    await rest();
    expect(await runs()).toEqual(["failed", "done"]);
  });
});

describe("mode: single", () => {
  it("ignores a new event while a run of its key is open", async () => {
    const codes = desk();
    await live(redeem("mode: single\n    key: ${{ captures.code }}"), { call: codes.call });
    await world.bot.hears("1", "200", "A1");
    await codes.calls(1);
    await world.bot.hears("2", "300", "A1");
    await decided();
    codes.answer();
    await rest();
    await world.bot.hears("3", "300", "A1");
    await codes.calls(2);
    codes.answer();
    await rest();

    expect(world.platform.map(({ to }) => to)).toEqual(["200", "300"]);
    expect(await runs()).toEqual(["done", "done"]);
  });

  it("starts one of several simultaneous runs in many lanes", async () => {
    const codes = desk();
    await live(redeem("mode: single\n    key: all"), { call: codes.call });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => world.bot.hears(String(n), String(200 + n), "A1")),
    );
    await decided();

    expect(await runs()).toEqual(["ready"]);
    codes.answer();
    await rest();
  });
});

describe("mode: parallel", () => {
  it("runs up to its number at once, and skips more", async () => {
    const codes = desk();
    await live(redeem("mode: parallel\n    key: all\n    max: 2"), { call: codes.call });
    for (const n of [1, 2, 3]) await world.bot.hears(String(n), `${n + 1}00`, "A1");
    await decided();

    expect(await runs()).toEqual(["ready", "ready"]);
    codes.answer();
    codes.answer();
    await rest();
  });
});

const order = (keys: string) => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    mode: restart
    ${keys}
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - id: number
        ask: {text: What is your number?, within: 15m, expect: {matches: '\\d+'}, retries: 3}
      - reply_dm: "It is \${{ steps.number.text }}."
`;

describe("mode: restart", () => {
  it("starts over when the person asks again, even while a question waits for its answer", async () => {
    await live(order("key: ${{ conversation.id }}"));
    await world.bot.hears("1", "200", "my order");
    await said(1);
    await world.bot.hears("2", "200", "my order!");
    await said(2);
    await world.bot.hears("3", "200", "7");

    expect(await said(3)).toEqual([
      "200: What is your number?",
      "200: What is your number?",
      "200: It is 7.",
    ]);
    await rest();
    expect(await runs()).toEqual(["stopped", "done"]);
  });

  it("ends the running run at any step: its call has no effect, and its unsent items are not sent", async () => {
    const codes = desk();
    await live(redeem("mode: restart\n    key: all"), { call: codes.call });
    await world.bot.hears("1", "200", "A1");
    await codes.calls(1);
    await world.bot.hears("2", "300", "B2");
    await codes.calls(2);
    codes.answer();
    codes.answer();
    await rest();

    expect(world.platform.map(({ to }) => to)).toEqual(["300"]);
    expect(await runs()).toEqual(["stopped", "done"]);
  });

  it("withdraws unsent items", async () => {
    await live(order("key: all"));
    await world.bot.hears("1", "200", "my order");
    await when(async () =>
      (await world.store.items({ limit: 2 })).length === 1 ? true : undefined,
    );
    await world.bot.hears("2", "300", "my order");
    await when(async () =>
      (await world.store.items({ limit: 2 })).length === 2 ? true : undefined,
    );

    expect(
      (await world.store.items({ limit: 2 })).map(({ lane, status }) => [lane, status]),
    ).toEqual([
      ["100/300", "pending"],
      ["100/200", "expired"],
    ]);
  });
});

describe("a process that ends while runs share a slot", () => {
  const RACE: Story = {
    rules: QUEUED,
    script: [
      { from: "200", text: "A1", after: 0 },
      { from: "300", text: "A1", after: 0 },
      { from: "400", text: "A1", after: 0 },
    ],
    texts: ["A1 1", "A1 2", "A1 3"],
    runs: ["done", "done", "done"],
    // a call that is repeated after a crash returns its first result
    get call() {
      const results = new Map<string, number>();
      const call: NonNullable<Story["call"]> = async ({ input }) => {
        const name = JSON.stringify(input);
        if (!results.has(name)) results.set(name, results.size + 1);
        return { ok: true, value: results.get(name) ?? 0 };
      };
      return call;
    },
  };

  it("continues in the same order from every write", async () => {
    expect(await walk(RACE, modelPlace, 1)).toBeGreaterThan(12);
  });

  it("does so on the disk", async () => {
    expect(await walk(RACE, folderPlace, 5)).toBeGreaterThan(12);
  });

  it("starts over once from every write", async () => {
    const again: Story = {
      rules: order("key: ${{ conversation.id }}"),
      script: ["my order", "my order", "7"],
      texts: ["What is your number?", "What is your number?", "It is 7."],
      runs: ["stopped", "done"],
    };

    expect(await walk(again, modelPlace, 1)).toBeGreaterThan(10);
  });
});
