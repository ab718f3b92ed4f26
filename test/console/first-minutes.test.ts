// @module-tag browser
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runFiles } from "../../src/insight/tests/run-files.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

describe("the first five minutes", () => {
  it("go from a message to its trace, an edited rule, a log-in, an outage, its recovery and a saved test", async () => {
    const page = await rig.open("/chat?as=ana");

    // a click on a suggestion sends it, and the page shows the answer's rule
    await page
      .getByRole("group", { name: "Suggestions" })
      .getByRole("button", { name: "hours", exact: true })
      .click();
    const anas = page.getByRole("region", { name: "Conversation of @ana" });
    await page.getByText("1 event → 1 of 1 rule → 1 answer").waitFor();

    // a click on the answer opens the sequence chart of its event
    await anas.getByRole("link", { name: /We are open from 9 to 17/ }).click();
    const chart = page.getByRole("list", { name: "What happened, in order" });
    await chart.getByText("Platform to Person: We are open from 9 to 17.").waitFor();

    // after a rule file is saved, past messages can be tried on the new rules without sending anything
    const rules = join(rig.folder, "rules", "rules.yaml");
    const text = await readFile(rules, "utf8");
    await writeFile(rules, text.replace("from 9 to 17", "all day"));
    await rig.runtime().reload();
    await page.getByText("Rules reloaded: 1 changed.").waitFor();
    await page.getByRole("link", { name: "Chat", exact: true }).click();
    const banner = page.getByRole("region", { name: "Other rules" });
    await banner.getByRole("button", { name: "Say them again" }).click();
    const again = banner.getByRole("row", { name: /^@ana hours .*differs/ });
    expect(await again.locator("del").innerText()).toContain("from 9 to 17");
    expect(await again.locator("ins").innerText()).toContain("all day");
    await rig.quiet();
    expect(await anas.getByText("all day").count()).toBe(0);

    // signs a tester in through the real consent page; the console then shows the signed requests of the log-in
    const [app] = await rig.sandbox.control.apps();
    await page.goto(`${rig.url}/portal/apps/${app?.app_id}`);
    await page.getByRole("button", { name: "Log-in tester" }).click();
    await page.getByRole("button", { name: "Add it" }).click();
    await page.getByRole("button", { name: "Start a log-in" }).click();
    const [consent] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Open the consent page in a new tab" }).click(),
    ]);
    await consent.getByRole("button", { name: "@ben" }).click();
    await consent.getByText("gave the app an access token").waitFor();
    await consent.close();
    await page.getByText("gave the app an access token").waitFor();
    await page.getByText("POST /oauth/request_token").click();
    await page.getByText("matches").waitFor();
    await page.getByText("POST /oauth/access_token").click();
    await page.getByText("the platform accepted it").waitFor();

    // during an outage, the coverage timeline shows which time is missing; in the first ten seconds of a subscription the
    // platform need not deliver, so nothing is missing then
    await rig.sandbox.control.advance(10_000);
    await page.goto(`${rig.url}/faults`);
    const outage = page.getByRole("listitem").filter({ hasText: "2-hour outage" });
    await outage.getByRole("button", { name: "Start" }).click();
    await page.getByText("Skip 45 min").first().waitFor();
    await rig.sandbox.control.act(rig.people.ben, {
      type: "dm",
      to: rig.file.bot.id,
      text: "hours, in the outage",
    });
    await page.getByRole("button", { name: "Skip 45 min" }).click();
    await page.getByRole("button", { name: "Skip 45 min" }).waitFor();
    await page.goto(`${rig.url}/delivery`);
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*missed/ }).waitFor();

    // after the outage the bot requests a replay of the missed events; an event that is delivered twice is shown once
    await rig.sandbox.control.clearFaults();
    await rig.sandbox.control.advance(15 * 60_000);
    await page
      .getByRole("row", { name: /Complete/ })
      .first()
      .waitFor();
    await page
      .getByText(/redelivered, .*ignored/)
      .first()
      .waitFor();
    await page.getByRole("img", { name: /^@hello_bot in 24 hours: .*replayed/ }).waitFor();
    const bens = await rig.open("/chat?as=ben");
    await bens.getByRole("link", { name: /We are open all day/ }).waitFor();
    expect(await bens.getByRole("link", { name: /We are open all day/ }).count()).toBe(1);
    await bens.close();

    // exports the conversation as a test, which passes
    await page.goto(`${rig.url}/traces?text=outage`);
    await page
      .getByRole("row", { name: /hours, in the outage/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: "Save as test" }).click();
    const command = await page.locator("code").filter({ hasText: "answerback test" }).innerText();
    const path = command.replace("answerback test ", "");
    const saved = await readFile(join(rig.folder, path), "utf8");
    const [outcome] = await runFiles([{ path, text: saved }], { base: rig.folder });
    expect(outcome?.tests.map(({ passed }) => passed)).toEqual([true]);
    await page.close();
  });

  it("can be spent with the keyboard alone, from Chat to a trace", async () => {
    // A person without earlier answers: the answer that the test waits for is the only one.
    await rig.sandbox.control.user("cleo");
    const page = await rig.open("/chat?as=cleo");
    const press = async (key: string, until: () => Promise<boolean>): Promise<void> => {
      for (let times = 0; times < 60; times += 1) {
        if (await until()) return;
        await page.keyboard.press(key);
      }
      throw new Error(`${key} did not lead there`);
    };
    const focused = (script: string): Promise<boolean> =>
      page.evaluate(`document.activeElement?.${script} ?? false`);
    await press("Tab", () => focused('getAttribute("aria-label") === "Message"'));
    await page.keyboard.type("your hours?");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /We are open/ }).waitFor();
    await press("Tab", () => focused('textContent === "Open the trace"'));
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "What happened, in order" }).waitFor();
    await press("Tab", () => focused('getAttribute("role") === "tab"'));
    await page.keyboard.press("ArrowRight");
    await page.getByRole("region", { name: "Rules" }).waitFor();
    expect(page.url()).toMatch(/\/traces\/\d+\?tab=rules$/);
    await page.close();
  });
});
