// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

const SCHEMES = ["light", "dark"] as const;

describe("Faults", () => {
  it("shows what each fault affected, also before the page was opened, with links to trace and exchange", async () => {
    const { control } = rig.sandbox;
    await control.addFault({ match: { direction: "delivery" }, fault: { type: "duplicate" } });
    const path = "/2/dm_conversations/*";
    const match = { direction: "request", method: "POST", path } as const;
    await control.addFault({ match, fault: { type: "status", status: 503 } });
    await control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text: "hours?" });
    await rig.quiet();

    const page = await rig.open("/faults");
    const log = page.getByRole("list", { name: "What happened, newest first" });
    const refused = log.getByRole("listitem").filter({ hasText: "status, affected" });
    await refused.getByText(/^POST \/2\/dm_conversations\/\S+ by @hello_bot$/).waitFor();
    await refused.getByRole("button", { name: /^exchange/ }).click();
    await refused.getByText('"Service Unavailable"').waitFor();
    expect(new URL(page.url()).searchParams.get("exchange")).toMatch(/^\d+$/);
    const twice = log.getByRole("listitem").filter({ hasText: "duplicate, affected" });
    await twice.getByText("direct_message_events for @hello_bot, from @ana").waitFor();
    await twice.getByRole("link", { name: /^trace/ }).click();
    await page.getByText(/^Event \d+$/).waitFor();
    await control.clearFaults();
    await page.close();
  });

  it("really revokes the bot's token, and logs it in again", async () => {
    const page = await rig.open("/faults");
    await page.getByRole("button", { name: "Start: Token revoked" }).click();
    const active = page.getByRole("region", { name: "Active faults" });
    await active.getByRole("row", { name: /token of @hello_bot revoked/ }).waitFor();
    expect((await rig.sandbox.control.grants(rig.file.app.id)).length).toBe(0);

    await active.getByRole("button", { name: "Log in again" }).click();
    await page.getByText("@hello_bot has logged in again: its events arrive again.").waitFor();
    await page.getByText("No fault is active").waitFor();
    await page.close();
  });

  it("uses up the daily limits, so that the platform refuses, until they are restored", async () => {
    const { control } = rig.sandbox;
    const page = await rig.open("/faults");
    await page.getByRole("button", { name: "Start: Cap reached" }).click();
    const active = page.getByRole("region", { name: "Active faults" });
    await active.getByRole("row", { name: /daily limits for writing used up.* until/ }).waitFor();
    await control.act(rig.people.ben, { type: "dm", to: rig.file.bot.id, text: "hours?" });
    const answers = async () =>
      (await control.exchanges())
        .filter(({ url }) => url.startsWith(`/2/dm_conversations/with/${rig.people.ben}/`))
        .map(({ status }) => status);
    await expect.poll(answers).toEqual([429]);

    await active.getByRole("button", { name: "Reset the limits" }).click();
    await page.getByText("No fault is active").waitFor();
    await control.advance(61 * 60_000);
    await rig.quiet();
    expect((await answers()).at(-1)).toBe(201);
    await page.close();
  });

  it("has an outage of two hours by the sandbox's clock, and shows how often it struck", async () => {
    const { control } = rig.sandbox;
    await control.freezeClock(true);
    const page = await rig.open("/faults");
    await page.getByRole("button", { name: "Start: 2-hour outage" }).click();
    const active = page.getByRole("region", { name: "Active faults" });
    const row = active.getByRole("row", { name: /cut on delivery/ });
    await row.getByText("active").waitFor();
    await control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text: "hours?" });
    const log = page.getByRole("list", { name: "What happened, newest first" });
    await log.getByRole("listitem").filter({ hasText: "cut, affected" }).first().waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    for (const shownState of ["active", "active", "over"]) {
      await page.getByRole("button", { name: "Skip 45 min" }).click();
      await row.getByText(shownState).waitFor();
    }
    await page.getByRole("button", { name: "Remove all faults" }).click();
    await page.getByText("No fault is active").waitFor();

    await page.getByLabel("N", { exact: true }).fill("0");
    await page.getByRole("button", { name: "Add this fault" }).click();
    await page.getByRole("alert").filter({ hasText: "when" }).waitFor();
    await page.getByLabel("N", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Add this fault" }).click();
    await active.getByRole("row", { name: /drop on delivery.*next 2 times/ }).waitFor();
    await active.getByRole("button", { name: /^Remove fault/ }).click();
    await page.getByText("No fault is active").waitFor();

    await page.getByLabel("How often").selectOption("Until");
    const until = page.getByLabel("Until", { exact: true });
    const inAnHour = await until.inputValue();
    expect(inAnHour).toMatch(/^\d{4}-.*T/);
    await until.fill("");
    await page.getByRole("button", { name: "Add this fault" }).click();
    expect(await page.locator("input:invalid").count()).toBe(1);
    expect(await page.getByLabel("The fault as JSON").innerText()).toContain('"until": ""');
    await until.fill(inAnHour);
    await page.getByRole("button", { name: "Add this fault" }).click();
    await active.getByRole("row", { name: /drop on delivery until \d{4}-/ }).waitFor();
    await control.clearFaults();
    await control.freezeClock(false);
    await page.close();
  });
});
