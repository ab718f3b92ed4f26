import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES } from "../../src/console/pages.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

describe("the console", () => {
  it("has a heading on each page, and its address", async () => {
    const page = await rig.open("/chat");
    for (const { path, title } of PAGES) {
      await page.goto(`${rig.url}${path}`);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      expect(await page.title()).toBe(`${title} · Answerback`);
    }
    await page.close();
  });
});
