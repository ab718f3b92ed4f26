import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HandlerRecord, HandlerSupport, Progress } from "../../src/bots/durable/record.ts";
import type { BotHost } from "../../src/bots/bot-host.ts";
import { startBots } from "../../src/bots/host.ts";
import type { BotLogLine, Handling } from "../../src/bots/messages.ts";
import { messageReceived } from "../support/events.ts";
import { NOBODY_ANSWERS } from "../support/nobody-answers.ts";
import { when } from "../support/when.ts";

const file = fileURLToPath(new URL("../fixtures/bots/durable.ts", import.meta.url));

const handling = (text: string, record?: HandlerRecord): Handling => ({
  bot: "durable",
  triggers: ["dm.received"],
  event: messageReceived({ text }),
  account: { id: "100", username: "hello_bot" },
  now: 0,
  replayed: false,
  answered: false,
  ...(record && { record }),
});

/** Keeps the progress of handlers in memory, in place of the runtime's store. */
function keeping(over: Partial<HandlerSupport> = {}) {
  const record: (HandlerRecord[number] | null)[] = [];
  const actions: Progress["actions"][number][] = [];
  const support: HandlerSupport = {
    async keep(progress) {
      for (const { place, entry } of progress.entries) record[place] = entry;
      actions.push(...progress.actions);
      return structuredClone(record);
    },
    read: async () => ({ version: 0 }),
    ...NOBODY_ANSWERS,
    ...over,
  };
  return { support, record, actions };
}

describe("a handler in its thread", () => {
  let host: BotHost;
  const lines: BotLogLine[] = [];
  beforeAll(async () => {
    host = await startBots({
      patienceMs: 120_000,
      files: [file],
      stallMs: 1_000,
      onLog: (line) => lines.push(line),
    });
  });
  afterAll(() => host.close());

  it("stores each step before it continues, and its answers with the next step", async () => {
    const { support, record, actions } = keeping();
    const outcome = await host.handle(handling("hi"), support);

    expect(record).toMatchObject([{ kind: "step", name: "first", settled: 1 }]);
    expect(actions).toEqual([]);
    expect(outcome.actions.map((one) => ("text" in one ? one.text : ""))).toEqual([
      "one",
      "two hi",
    ]);
    expect(outcome.waits).toBeUndefined();
  });

  it("ends where it waits, and reports what it waits for", async () => {
    const outcome = await host.handle(handling("sleep"), keeping().support);

    expect(outcome).toMatchObject({
      waits: true,
      entries: [
        { place: 1, entry: { kind: "act", name: "reply_dm" } },
        { place: 2, entry: { kind: "sleep", name: "nap", ms: 60_000 } },
      ],
    });
  });

  it("gets results from its record, and makes no call twice", async () => {
    const value = { text: "kept", at: "7" };
    const outcome = await host.handle(
      handling("sleep", [
        { kind: "step", name: "first", settled: 1, value },
        { kind: "act", name: "reply_dm" },
        { kind: "sleep", name: "nap", ms: 60_000, since: 0, until: 60_000, settled: 2, at: 60_000 },
      ]),
      keeping().support,
    );

    expect(outcome).toEqual({
      actions: [{ type: "reply_dm", to: "200", text: "two kept" }],
      entries: [{ place: 3, entry: { kind: "act", name: "reply_dm" } }],
      changes: [],
    });
  });

  it("continues after its stored steps if another handler ends the thread", async () => {
    const { support, record } = keeping();
    let writes = 0;
    const patient = host.handle(handling("patient"), {
      ...support,
      keep: (progress) => {
        writes += 1;
        return support.keep(progress);
      },
    });
    await when(() => Promise.resolve(writes > 0 ? true : undefined));
    const spinning = host.handle(handling("spin"), keeping().support);

    expect((await spinning).error).toContain("its thread was restarted");
    expect((await patient).actions).toHaveLength(2);
    expect({ writes, names: record.map((entry) => entry?.name) }).toEqual({
      writes: 1,
      names: ["first"],
    });
  });

  it("has no outcome before the progress of a step that it did not await is stored", async () => {
    const { support } = keeping();
    const order: string[] = [];
    const race = host.handle(handling("race"), {
      ...support,
      async keep(progress) {
        if (progress.entries.some(({ entry }) => entry.name === "lap 2" && "settled" in entry)) {
          // the thread has posted the outcome of the race before it answers this message
          await host.handle(handling("hi"), keeping().support);
          order.push("stored");
        }
        return support.keep(progress);
      },
    });

    await race;
    order.push("outcome");
    expect(order).toEqual(["stored", "outcome"]);
  });

  it("is given up if its progress can't be stored", async () => {
    const { support } = keeping({
      keep: () => Promise.reject(new Error("another holds the lane")),
    });

    await expect(host.handle(handling("hi"), support)).rejects.toThrow("another holds the lane");
  });

  it("gets an error with the place of an invalid call", async () => {
    const outcome = await host.handle(handling("again"), keeping().support);

    expect(outcome.error).toContain('the name "first" is that of ctx.step("first") before');
    const line = await when(() =>
      Promise.resolve(lines.find(({ message }) => message.includes("RecordError"))),
    );
    expect(line).toMatchObject({
      bot: "durable",
      fields: { place: expect.stringMatching(/bots\/durable\.ts:13:\d+$/) },
    });
  });
});
