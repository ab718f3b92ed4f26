// @module-tag browser
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const RULES = `
version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions:
      - message.text: {contains_word: hours}
    actions:
      - reply_dm: {text: "We are open from 9 to 17."}
  - id: human
    triggers: [dm.received]
    conditions:
      - message.text: {contains_word: human}
    actions:
      - escalate: {queue: support, note: "wants a person"}
`;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig({ rules: { "rules.yaml": RULES } });
  await says("hours?");
  await says("a human please");
  await rig.quiet();
});
afterAll(() => rig.close());

const says = (text: string) =>
  rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });

const SCHEMES = ["light", "dark"] as const;

describe("Outbox", () => {
  it("shows sent items, each with its own URL, and lets a person settle an item", async () => {
    const page = await rig.open("/outbox");
    const items = page.getByRole("region", { name: "Items" });
    await items
      .getByRole("row", { name: /sent.*message to @ana: We are open from 9 to 17/ })
      .first()
      .waitFor();
    const queue = page.getByRole("listitem").filter({ hasText: "wants a person" });
    await queue.getByText("@ana").waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await queue.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("No open hand-over.").waitFor();

    await items.getByRole("link", { name: "1", exact: true }).click();
    await page.getByRole("heading", { level: 2, name: "Item 1" }).waitFor();
    expect(page.url()).toBe(`${rig.url}/outbox/1`);
    await page.getByRole("link", { name: "rule hours, event 1" }).waitFor();
    await page.close();
  });
});

describe("limits in the outbox", () => {
  it("show the live limits that this hour would have used if the sandbox enforces none, otherwise the remaining quota", async () => {
    const { control } = rig.sandbox;
    await says("hours?");
    await rig.quiet();
    const page = await rig.open("/outbox");
    await page.getByText(/Limits are off in this sandbox/).waitFor();

    const gauge = page.getByRole("listitem").filter({ hasText: "POST /2/dm_conversations" });
    await gauge
      .getByText(/^\d of 15 used$/)
      .first()
      .waitFor();
    expect(await page.getByText(/ left$/).count()).toBe(0);
    expect(await rig.violations(page, "light")).toEqual([]);

    await control.changeSettings({ limits: { enabled: true } });
    await page.reload();
    await page
      .getByText(/^\d+ of \d+ left$/)
      .first()
      .waitFor();
    await control.changeSettings({ limits: { enabled: false } });
    await page.close();
  });
});

describe("Log", () => {
  it("shows the log as it is written, and the state of bot and process", async () => {
    const page = await rig.open("/log");
    await page.getByText("@hello_bot, its events arrive").waitFor();
    await page.getByText(process.version).waitFor();
    const lines = page.getByRole("list", { name: "Lines of the log, newest first" });
    await lines.getByRole("listitem").filter({ hasText: "ready" }).first().waitFor();
    const fewer = RULES.slice(0, RULES.indexOf("  - id: human"));
    await writeFile(join(rig.folder, "rules", "rules.yaml"), fewer);
    await rig.runtime().reload();
    await lines.getByRole("listitem").filter({ hasText: "human" }).first().waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("shows the bot's clock as all pages do, and this machine's as a tooltip", async () => {
    await rig.sandbox.control.advance(3 * 3_600_000);
    await writeFile(join(rig.folder, "rules", "rules.yaml"), RULES);
    await rig.runtime().reload();
    const page = await rig.open("/log");
    const line = page.getByRole("list", { name: "Lines of the log, newest first" });
    const title = await line.getByRole("listitem").first().locator("time").getAttribute("title");
    const [, bot = "", machine = ""] =
      /^(\S+Z) by the bot's clock; (\S+Z) by this machine's clock$/.exec(title ?? "") ?? [];
    expect(Date.parse(bot) - Date.parse(machine)).toBeGreaterThan(3 * 3_600_000 - 2_000);

    await page.getByRole("note", { name: /by the sandbox's clock, 3 h ahead of/ }).waitFor();
    const browsers = page.getByRole("region", { name: "Signed-in browsers" });
    expect(await browsers.locator("time").first().getAttribute("title")).toMatch(
      /by the bot's clock; \S+Z by this machine's clock$/,
    );
    await page.close();
  });
});
