// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const TELEPHONE = { width: 390, height: 844 } as const;
const SCHEMES = ["light", "dark"] as const;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

describe("Docs", () => {
  it("lists all pages, finds one by a question, and follows its links to pages, headings and files", async () => {
    const page = await rig.open("/docs");
    const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
    await page.getByRole("heading", { name: "Write rules" }).waitFor();
    await page.getByRole("heading", { name: "Examples" }).waitFor();

    const box = page.getByRole("searchbox", { name: "Search the documentation" });
    await box.fill("how do I start the bot with systemd or docker");
    await page.getByRole("link", { name: "Running a bot for months" }).click();
    await heading("Running a bot for months").waitFor();
    expect(await box.inputValue()).toBe("");

    await page.getByRole("link", { name: "compose.yaml" }).first().click();
    await heading("compose.yaml").waitFor();
    await page.getByText("services:").waitFor();
    await page.goBack();
    await heading("Running a bot for months").waitFor();

    await page.goto(`${rig.url}/docs/config/reference/steps.md#escalate`);
    const entry = page.getByRole("heading", { name: "escalate", exact: true });
    await expect.poll(async () => (await entry.boundingBox())?.y).toBeLessThan(200);
    await page.getByRole("link", { name: "All pages" }).click();
    await heading("Docs").waitFor();
    await page.close();
  });

  it("can be used with the keyboard, and reports a missing page", async () => {
    const page = await rig.open("/docs/config/guide/nothing.md");
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor();
    await page.goto(`${rig.url}/log`);
    await page.getByRole("heading", { level: 1, name: "Log" }).waitFor();
    for (const path of ["/delivery", "/data", "/docs"]) {
      await page.keyboard.press("g");
      await page.keyboard.press("d");
      await page.waitForURL(`**${path}`);
    }
    expect(await page.getByRole("link", { name: "Docs" }).getAttribute("aria-current")).toBe(
      "page",
    );
    await page.close();
  });

  it("fits a telephone, and axe finds nothing", async () => {
    const page = await rig.open("/docs/config/reference/steps.md");
    await page.getByRole("heading", { name: "escalate", exact: true }).waitFor();
    await page.setViewportSize(TELEPHONE);

    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    for (const path of ["config/reference/steps.md", "README.md", "CHANGELOG.md"]) {
      await page.goto(`${rig.url}/docs/${path}`);
      await page.locator("main article").waitFor();
      const width = await page.evaluate("document.documentElement.scrollWidth");
      expect(width, path).toBe(TELEPHONE.width);
    }
    await page.close();
  });

  it("runs nothing of a hostile page", async () => {
    const text =
      '# Hi\n\n<img src="x" onerror="document.title = 1"><script>document.title = 2</script>';
    const page = await rig.openPrepared("/docs/config/README.md", (opened) =>
      opened.route("**/_console/ask/documentation*", (route) =>
        route.fulfill({ json: [{ path: "config/README.md", text }] }),
      ),
    );
    await page.getByText('<img src="x" onerror="document.title = 1">').waitFor();

    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.title()).toContain("Docs");
    await page.close();
  });
});
