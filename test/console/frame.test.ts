import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES } from "../../src/console/pages.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

describe("the console", () => {
  it("has a heading on each page, is signed in by its link once, and axe finds nothing on any", async () => {
    const page = await rig.open("/chat");
    for (const { path, title } of PAGES) {
      await page.goto(`${rig.url}${path}`);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      for (const scheme of ["light", "dark"] as const) {
        expect(await rig.violations(page, scheme), `${path}, ${scheme}`).toEqual([]);
      }
    }
    await page.close();
  });
});
