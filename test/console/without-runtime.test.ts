// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyPageOf, type LoneConsole, sandboxAlone } from "./lone-consoles.ts";

let shown: LoneConsole;
beforeAll(async () => {
  shown = await sandboxAlone();
});
afterAll(() => shown.close());

describe("the console of a sandbox alone", () => {
  it("has every page at work, or says what it needs and how to get it", async () => {
    const pages = await everyPageOf(shown);

    for (const [path, { faults }] of pages) expect(faults, path).toEqual([]);
    for (const [path, { isLinked, text }] of pages) {
      const needsBot = /^\/(conversations|chat|traces|rules|outbox)$/.test(path);
      expect(isLinked, path).toBe(!needsBot);
      expect(text.includes("Start both with: answerback dev"), path).toBe(needsBot);
    }
    expect(pages.get("/events")?.text).toContain("Register an app's webhook on the page Portal");
    expect(pages.get("/data")?.text).toContain("Add somebody with the form above");
  });
});
