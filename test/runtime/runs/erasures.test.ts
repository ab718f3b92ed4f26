import { beforeEach, describe, expect, it } from "vitest";
import { type BotContext, defineBot } from "../../../src/bots/define.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { when } from "../../support/when.ts";
import { folderPlace } from "../store/place.ts";
import { worldOfEach } from "./bot-world.ts";
import { handlersOf, loaded } from "./handlers-at-work.ts";

const ANA = "200";
const BEN = "300";

describe("after the erasure of a person, the worker", () => {
  const world = worldOfEach(folderPlace);
  /** Texts of the events whose handlers were called, in order. */
  let begun: string[] = [];
  let letGoOn = (): void => {};
  let lines = "";
  beforeEach(async () => {
    begun = [];
    lines = "";
    const opened = new Promise<void>((resolve) => (letGoOn = resolve));
    const answer = async (ctx: BotContext<"dm.received">): Promise<void> => {
      begun.push(ctx.text);
      if (ctx.text.endsWith("1")) await opened;
      await ctx.reply(`re ${ctx.text}`);
    };
    const tester = defineBot({ name: "tester", on: { "dm.received": answer } });
    await world.live({
      bots: [loaded(tester)],
      handle: handlersOf(tester),
      log: openLog({ level: "info", destination: { write: (line) => void (lines += line) } }),
    });
  });

  const hear = async (from: string, ...texts: readonly string[]): Promise<void> => {
    for (const text of texts) await world.bot.hears(text, from, text);
  };
  const ready = (count: number) =>
    when(async () => ((await world.store.stats()).runs.ready === count ? true : undefined));

  it("calls no handler with an erased message, and those of other people as before", async () => {
    await hear(BEN, "b1", "b2", "b3");
    await hear(ANA, "a1", "a2");
    await ready(5);
    await when(() => begun.length === 2 || undefined);
    await world.bot.erases(BEN);
    letGoOn();

    expect(await world.said(2)).toEqual(["re a1", "re a2"]);
    await world.rest();
    expect(begun.toSorted()).toEqual(["a1", "a2", "b1"]);
    expect(lines).toContain("a run has ended: its event was erased");
    expect(lines).not.toContain("a decision was not stored");
  });

  it("calls no handler with a message that another process has erased", async () => {
    await hear(BEN, "b1", "b2");
    await hear(ANA, "a1", "a2");
    await ready(4);
    await when(() => begun.length === 2 || undefined);
    await world.store.forget({ id: BEN, now: world.clock.now() });
    world.bot.erasedElsewhere();
    letGoOn();

    expect(await world.said(2)).toEqual(["re a1", "re a2"]);
    await world.rest();
    expect(begun.toSorted()).toEqual(["a1", "a2", "b1"]);
  });

  it("answers messages that arrive after the erasure", async () => {
    await hear(BEN, "b1", "b2");
    await ready(2);
    await world.bot.erases(BEN);
    letGoOn();
    await hear(BEN, "b3");

    expect(await world.said(1)).toEqual(["re b3"]);
  });

  it("reports an outcome that arrives during the erasure as erased", async () => {
    await hear(BEN, "b1");
    await ready(1);
    await when(() => begun.length === 1 || undefined);
    // Erases the person like another process: the worker is not notified.
    await world.store.forget({ id: BEN, now: world.clock.now() });
    letGoOn();
    await when(() => (lines.includes("its event was erased") ? true : undefined));

    expect(lines).not.toContain("a decision was not stored");
  });
});
