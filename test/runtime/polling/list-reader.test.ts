import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/runtime/clock/clock.ts";
import { ListReader } from "../../../src/runtime/polling/list-reader.ts";
import type { PolledList, ReadingClient } from "../../../src/runtime/polling/lists.ts";
import { handClock } from "../../support/hand-clock.ts";
import { openLists } from "../catchup/support/lists.ts";

const HOUR = 3_600_000;

/** Returns a reader of a list in which the platform shows `items`, newest first, and its clock. */
function reading(items: { readonly id: string; readonly at: number }[], over: Partial<Clock> = {}) {
  const clock = handClock();
  const setBacks: { n: number; was: number; to: number }[] = [];
  const values = new Map<string, string>();
  const list: PolledList = {
    name: "messages",
    endpoint: "GET /2/dm_events",
    triggers: [],
    read: async (_client, { floor }) => ({
      events: items.filter(({ at }) => at >= floor).map((one) => ({ ...one, delivery: {} })),
      isPast: true,
      next: undefined,
    }),
  };
  const client: ReadingClient = openLists().client;
  const memory = {
    getMeta: async (name: string) => values.get(name),
    setMeta: async (name: string, value: string) => void values.set(name, value),
  };
  /** Opens a reader over the same list and memory, as the next poll of the account does. */
  const opened = (link: number) => {
    const reader = new ListReader({
      list,
      account: "100",
      link,
      clientOf: () => client,
      memory,
      clock: { ...clock, setBacks: () => setBacks, ...over },
      random: () => 0,
    });
    return async () => {
      const events = await reader.read();
      await reader.keep(events);
      return events.map(({ id }) => id);
    };
  };
  return { clock, setBacks, memory, opened, read: opened(0) };
}

describe("polling a list", () => {
  it("reads new items after the clock was set back, although their dates are earlier", async () => {
    const items: { id: string; at: number }[] = [];
    const { clock, setBacks, read } = reading(items);
    items.unshift({ id: "old", at: clock.now() - 2 * HOUR });
    expect(await read()).toEqual([]);
    items.unshift({ id: "first", at: clock.now() });
    expect(await read()).toEqual(["first"]);
    setBacks.push({ n: 1, was: clock.now(), to: clock.now() - HOUR });
    clock.advance(-HOUR);
    items.unshift({ id: "second", at: clock.now() });
    expect(await read()).toEqual(["second"]);
    clock.advance(HOUR + 1);
    items.unshift({ id: "third", at: clock.now() });

    expect(await read()).toEqual(["third"]);
  });

  it("continues where the last poll of the same link ended, and begins at the present after an unlinking", async () => {
    const items: { id: string; at: number }[] = [];
    const { clock, opened } = reading(items);
    await opened(1)();
    clock.advance(HOUR);
    items.unshift({ id: "missed", at: clock.now() - 1 });
    expect(await opened(1)()).toEqual(["missed"]);

    clock.advance(HOUR);
    items.unshift({ id: "while not linked", at: clock.now() - 1 });
    const read = opened(2);
    expect(await read()).toEqual([]);
    items.unshift({ id: "linked again", at: clock.now() });
    expect(await read()).toEqual(["linked again"]);
    expect(await opened(2)()).toEqual(["linked again"]);
  });

  it("continues at the cursor of an earlier version, which has no link", async () => {
    const items: { id: string; at: number }[] = [];
    const { clock, memory, read } = reading(items);
    const cursor = { from: clock.now() - 2 * HOUR, at: clock.now() - 2 * HOUR };
    await memory.setMeta("polling/messages/100", JSON.stringify(cursor));
    items.unshift({ id: "missed", at: clock.now() - HOUR });

    expect(await read()).toEqual(["missed"]);
  });

  it("reads new items if the machine's clock was ahead at the first start and was corrected", async () => {
    const items: { id: string; at: number }[] = [];
    const { clock, read } = reading(items, { jumpsAreCorrections: true });
    expect(await read()).toEqual([]);
    clock.advance(-HOUR);
    items.unshift({ id: "old", at: clock.now() - HOUR });
    items.unshift({ id: "first", at: clock.now() });
    expect(await read()).toEqual(["first"]);
    items.unshift({ id: "second", at: clock.now() + 1_000 });

    expect(await read()).toEqual(["second"]);
  });
});
