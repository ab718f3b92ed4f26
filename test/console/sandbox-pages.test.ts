// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

describe("Ads", () => {
  it("shows which engagement has a conversion and why, while the windows are drawn", async () => {
    const page = await rig.open("/ads");
    const form = page.getByRole("form", { name: "Create a view or click" });
    await form.getByRole("button", { name: "Create" }).click();
    const explorer = page.getByRole("region", { name: "Attribution explorer" });
    const weighed = explorer.getByRole("list", { name: "Engagements, and why each won or lost" });
    await weighed.getByText("it is the last that counts").waitFor();
    await form.getByRole("combobox", { name: "What" }).selectOption("VIEW");
    await form.getByRole("button", { name: "Create" }).click();
    await weighed.getByText("a click inside its window beats every view").waitFor();

    await explorer.getByRole("slider", { name: /Clicks count for/ }).press("Home");
    await weighed.getByText("clicks don't count: their window is 0 days").waitFor();
    expect(await weighed.getByText("wins").count()).toBe(1);
    const report = page.getByRole("form", { name: "Report a conversion" });
    await report.getByRole("button", { name: "Report" }).click();
    await page.getByText("Reported. The conversion is attributed to a click.").waitFor();
    await page
      .getByRole("region", { name: "Conversions" })
      .getByRole("row", { name: /INSTALL device-1.*the click of.*@hello_bot/ })
      .waitFor();

    await page.getByText("Create an event tag").click();
    const tag = page.getByRole("form", { name: "Create an event tag" });
    await tag.getByRole("button", { name: "Create" }).click();
    const tags = page.getByRole("region", { name: "Event tags" });
    await tags.getByRole("row", { name: /First start INSTALL.*TRACKING/ }).waitFor();
    await tags.getByRole("button", { name: "Delete" }).click();
    await tags.getByRole("row", { name: /First start.*deleted/ }).waitFor();
    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    await page.close();
  });
});
