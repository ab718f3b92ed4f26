// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPageOf, liveBot, type LoneConsole } from "./lone-consoles.ts";

let shown: LoneConsole;
beforeAll(async () => {
  shown = await liveBot();
});
afterAll(() => shown.close());

describe("the console of a bot on the live platform", () => {
  it("has every page at work for who may only read, or says what it needs and how to get it", async () => {
    const pages = await everyPageOf(shown);

    for (const [path, { faults }] of pages) expect(faults, path).toEqual([]);
    for (const [path, { isLinked, text }] of pages) {
      const needsSandbox = /^\/(chat|portal|faults|data|ads|api)$/.test(path);
      expect(isLinked, path).toBe(!needsSandbox);
      expect(text.includes("For a bot beside a sandbox: answerback dev"), path).toBe(needsSandbox);
    }
    expect(pages.get("/traces")?.text).toContain("When are you open?");
    expect(pages.get("/outbox")?.text).toContain("From 9 to 17.");
    expect(pages.get("/events")?.text).toContain("Write to the bot's account from another one.");
  });
});
