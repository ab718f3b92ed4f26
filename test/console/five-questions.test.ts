// @module-tag browser
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const RULES = `
version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }]
    actions: [{ reply_dm: "We are open from 9 to 17." }]
  - id: slow
    triggers: [user.followed]
    actions: [{ delay: 1h }, { reply_dm: "Here you are." }]
`;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig({
    rules: { "rules.yaml": RULES },
    settings: "limits: { equal_replies: 1 in 10m }",
  });
});
afterAll(() => rig.close());

/** Creates a new person who writes messages to the bot, one after the other. */
const says = async (handle: string, ...texts: readonly string[]): Promise<void> => {
  const id = await rig.sandbox.control.user(handle, { name: handle });
  for (const text of texts) {
    await rig.sandbox.control.act(id, { type: "dm", to: rig.file.bot.id, text });
  }
};

/** Opens the first page of the console, and counts the clicks on it. */
async function firstPage() {
  const page = await rig.open("/");
  let clicks = 0;
  const click = async (of: (page: Page) => Locator): Promise<void> => {
    clicks += 1;
    await of(page).first().click();
  };
  const done = async (): Promise<number> => {
    await page.close();
    return clicks;
  };
  return { page, click, done };
}

describe("from the first page, within three clicks,", () => {
  it("a person sees why there is no answer to a last message", async () => {
    await says("why_ana", "good morning");
    const { page, click, done } = await firstPage();
    await page.getByRole("link", { name: /@why_ana.*unanswered.*no rule matched/s }).waitFor();
    await click(() => page.getByRole("link", { name: /@why_ana/ }));
    await page
      .getByText(/it wants the word "hours", the message is "good morning"/)
      .first()
      .waitFor();
    expect(await done()).toBeLessThanOrEqual(3);
  });

  it("a person sees the effect of an edit", async () => {
    await says("edit_ben", "your hours?");
    await rig.quiet();
    const text = await readFile(join(rig.folder, "rules", "rules.yaml"), "utf8");
    const { page, click, done } = await firstPage();
    await click(() => page.getByRole("link", { name: "Rules", exact: true }));
    await click(() => page.getByRole("link", { name: "Edit hours" }));
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    await editor.fill(text.replace("from 9 to 17", "all day"));
    await click(() => page.getByRole("button", { name: "What would change" }));
    const answers = page.getByRole("region", { name: "Answers before and after" });
    await answers
      .getByText(/We are open all day/)
      .first()
      .waitFor();
    expect(await done()).toBeLessThanOrEqual(3);
  });

  it("a person sees events that the bot missed while it was down, and that they were answered", async () => {
    await rig.stop();
    await says("late_cem", "the hours, please");
    // the platform tries to deliver three times, and then gives up
    await rig.sandbox.control.advance(10 * 60_000);
    await rig.start();
    const { page, click, done } = await firstPage();
    await click(() => page.getByLabel("Only late messages"));
    const row = page.getByRole("link", { name: /@late_cem.*came late/s });
    await row.getByText("answered", { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: /@why_ana/ }).count()).toBe(0);
    expect(await done()).toBeLessThanOrEqual(3);
  });

  it("a person sees held answers, with the reason", async () => {
    await says("held_dea", "hours", "hours");
    await rig.quiet();
    const { page, done } = await firstPage();
    await page.getByLabel("Show").selectOption("held");
    await page
      .getByRole("link", { name: /@held_dea.*the answer is held back: more than 1 in 10m/s })
      .waitFor();
    expect(await done()).toBeLessThanOrEqual(3);
  });

  it("a person sees in the trace how much longer the bot waits before it answers", async () => {
    const id = await rig.sandbox.control.user("slow_eva");
    await rig.sandbox.control.act(id, { type: "follow", user_id: rig.file.bot.id });
    await rig.quiet();
    const { page, click, done } = await firstPage();
    await click(() => page.getByRole("link", { name: "Traces", exact: true }));
    const row = page.getByRole("row", {
      name: /slow_eva.* until \S+Z \((1 h|59 min \d+ s)\)/s,
    });
    await row.waitFor();
    await click(() => row.getByRole("link"));
    await page
      .getByText(/^rule slow waits at actions\[0\] until \S+Z \((1 h|59 min \d+ s)\)$/)
      .first()
      .waitFor();
    expect(await done()).toBeLessThanOrEqual(3);
  });

  it("one sees that the webhook is healthy", async () => {
    const { page, click, done } = await firstPage();
    await click(() => page.getByRole("link", { name: "Delivery", exact: true }));
    await page.getByText("deliveries arrive", { exact: true }).waitFor();
    expect(await done()).toBeLessThanOrEqual(3);
  });
});
