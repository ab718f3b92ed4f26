// @module-tag browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const RULES = `
version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hours } }]
    actions: [{ reply_dm: "We are open from 9 to 17." }]
  - id: human
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: human } }]
    actions:
      - escalate: { queue: support, note: wants a person, pause_bot: { until: resolved } }
`;

let rig: ConsoleRig;
const says = async (who: "ana" | "ben", text: string): Promise<void> => {
  await rig.sandbox.control.act(rig.people[who], { type: "dm", to: rig.file.bot.id, text });
  await rig.quiet();
};
beforeAll(async () => {
  rig = await openConsoleRig({
    rules: { "rules.yaml": RULES },
    settings: "limits: { equal_replies: 1 in 10m }",
  });
});
afterAll(() => rig.close());

/** The conversation that is open, without the list beside it. */
const threadOf = (page: Page) => page.getByRole("region", { name: "Conversation", exact: true });

/** Pixels by which a page is wider than its window. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const SCHEMES = ["light", "dark"] as const;

describe("Conversations", () => {
  it("is the first page, and says of each person whether they were answered, and why not", async () => {
    await says("ana", "hours?");
    await says("ana", "good morning");
    const page = await rig.open("/");

    expect(new URL(page.url()).pathname).toBe("/conversations");
    const row = page.getByRole("link", { name: /@ana/ });
    await row.getByText("unanswered").waitFor();
    await row.getByText("no rule matched").waitFor();
    await row.click();
    const thread = threadOf(page);
    await thread.getByText("by rule hours").waitFor();
    await thread.getByText("see answerback why").waitFor();
    await says("ben", "hello there");
    await page.getByRole("link", { name: /@ben/ }).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = () => page.evaluate<number>(OVERFLOW);
    expect(await overflow()).toBe(0);
    await page.getByRole("link", { name: "All conversations" }).click();
    await page.getByRole("link", { name: /@ana/ }).waitFor();
    expect(await overflow()).toBe(0);
    await page.close();
  });

  it("sends what is held, from the message that it answers", async () => {
    await says("ana", "hours?");
    const page = await rig.open("/conversations?state=held");
    await page.getByRole("link", { name: /@ana/ }).click();
    const held = threadOf(page)
      .getByRole("listitem")
      .filter({ hasText: "the answer is held back" });

    await held.getByRole("button", { name: "Send now" }).click();

    await page.getByText("It was held and is pending.").waitFor();
    await held.waitFor({ state: "detached" });
    await page.close();
  });

  it("gives a person back to the bot", async () => {
    await says("ben", "a human please");
    await says("ben", "hours?");
    const page = await rig.open(`/conversations/${rig.file.bot.id}/${rig.people.ben}`);
    const thread = threadOf(page);
    await thread
      .getByText(/the bot is silent here by escalation \d+, until a person has/)
      .waitFor();

    await thread.getByRole("button", { name: "Give back to the bot" }).first().click();

    await page.getByText("Rules and bots answer again.").waitFor();
    await says("ben", "the hours, please");
    await thread.getByText("by rule hours").waitFor();
    await page.close();
  });

  it("finds a person among many, and says where there is none", async () => {
    const page = await rig.open("/conversations?text=nobody");

    await page.getByText("No conversation is like that.").waitFor();
    await page.getByLabel("Search").fill("@BEN");
    await page.getByRole("link", { name: /@ben/ }).waitFor();
    expect(await page.getByRole("link", { name: /@ana/ }).count()).toBe(0);
    await page.close();
  });
});
