import { describe, expect, it } from "vitest";
import type { LoadedBot } from "../../../src/bots/messages.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { rememberedBots } from "../../../src/runtime/reload/remembered-bots.ts";

const BOT: LoadedBot = {
  name: "one",
  file: "/bots/one.ts",
  triggers: ["dm.received"],
  maxAgeMs: "none",
};
const log = openLog({ level: "silent" });

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
    const first = await rememberedBots(store, log);
    first.note([BOT]);
    first.note([BOT]);

    expect(first.before).toEqual([]);
    expect((await rememberedBots(store, log)).before).toEqual([BOT]);
    expect(store.written).toHaveLength(1);
  });

  it.each([
    { text: "no JSON", why: "it was cut off" },
    { text: '[{"name":"one"}]', why: "it is another version's" },
    {
      text: '[{"name":"one","file":"/a","triggers":["sold.out"]}]',
      why: "there is no such trigger",
    },
  ])("are unknown after a note such as $text: $why", async ({ text }) => {
    expect((await rememberedBots(notes(text), log)).before).toEqual([]);
  });
});
