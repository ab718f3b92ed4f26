import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LoadedBot } from "../../../src/bots/messages.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { rememberedBots } from "../../../src/runtime/reload/remembered-bots.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";

const BOT: LoadedBot = {
  name: "one",
  file: "/bots/one.ts",
  triggers: ["dm.received"],
  maxAgeMs: "none",
};
const log = openLog({ level: "silent" });
const { signal } = new AbortController();

/** Stands in for the store's named values: one value in memory, and all values that were written. */
function notes(before?: string) {
  const written: string[] = [];
  const read = async (): Promise<string | undefined> => written.at(-1) ?? before;
  const write = async (_: string, text: string): Promise<void> => void written.push(text);
  return { written, getMeta: read, setMeta: write };
}

describe("bots that an earlier process loaded", () => {
  it("are known to the next one", async () => {
    const store = notes();
    const first = await rememberedBots(store, log, signal);
    first.note([BOT]);
    first.note([BOT]);

    expect(first.before).toEqual([]);
    expect((await rememberedBots(store, log, signal)).before).toEqual([BOT]);
    expect(store.written).toHaveLength(1);
  });

  describe("while the store fails", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
    afterEach(() => void vi.useRealTimers());

    it("are stored once it works, and only the newest list", async () => {
      const store = notes();
      let isFull = true;
      const setMeta = async (name: string, text: string): Promise<void> => {
        if (isFull) throw new StoreError("store-full", "the disk is full");
        await store.setMeta(name, text);
      };
      const bots = await rememberedBots({ ...store, setMeta }, log, signal);
      bots.note([BOT]);
      bots.note([{ ...BOT, name: "two" }]);
      await vi.advanceTimersByTimeAsync(500);
      isFull = false;
      await vi.advanceTimersByTimeAsync(1_000);

      expect(store.written).toEqual([JSON.stringify([{ ...BOT, name: "two" }])]);
    });
  });

  it.each([
    { text: "no JSON", why: "it was cut off" },
    { text: '[{"name":"one"}]', why: "it is another version's" },
    {
      text: '[{"name":"one","file":"/a","triggers":["sold.out"]}]',
      why: "there is no such trigger",
    },
  ])("are unknown after a note such as $text: $why", async ({ text }) => {
    expect((await rememberedBots(notes(text), log, signal)).before).toEqual([]);
  });
});
