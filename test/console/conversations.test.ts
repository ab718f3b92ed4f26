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
/** Creates a person who writes to the bot. Each test has its own person, so that tests do not affect each other. */
const someone = async (handle: string) => {
  const id = await rig.sandbox.control.user(handle, { name: handle });
  return {
    thread: `/conversations/${rig.file.bot.id}/${id}`,
    async says(text: string): Promise<void> {
      await rig.sandbox.control.act(id, { type: "dm", to: rig.file.bot.id, text });
      await rig.quiet();
    },
  };
};
beforeAll(async () => {
  rig = await openConsoleRig({
    rules: { "rules.yaml": RULES },
    settings: "limits: { equal_replies: 1 in 10m }",
  });
});
afterAll(() => rig.close());

/** The region with the open conversation, without the list of conversations. */
const threadOf = (page: Page) => page.getByRole("region", { name: "Conversation", exact: true });

/** Pixels by which a page is wider than its window. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const SCHEMES = ["light", "dark"] as const;

describe("Conversations", () => {
  it("is the first page, and shows whether each person was answered, and why not", async () => {
    const ana = await someone("ana_first");
    await ana.says("hours?");
    await ana.says("good morning");
    const page = await rig.open("/");

    expect(new URL(page.url()).pathname).toBe("/conversations");
    const row = page.getByRole("link", { name: /@ana_first/ });
    await row.getByText("unanswered").waitFor();
    await row.getByText("no rule matched").waitFor();
    await row.click();
    const thread = threadOf(page);
    await thread.getByText("by rule hours").waitFor();
    await thread.getByText("see answerback why").waitFor();
    await (await someone("ben_later")).says("hello there");
    await page.getByRole("link", { name: /@ben_later/ }).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = () => page.evaluate<number>(OVERFLOW);
    expect(await overflow()).toBe(0);
    await page.getByRole("link", { name: "All conversations" }).click();
    await page.getByRole("link", { name: /@ana_first/ }).waitFor();
    expect(await overflow()).toBe(0);
    await page.close();
  });

  it("sends a held answer, from the message that it answers", async () => {
    const cem = await someone("cem_held");
    await cem.says("hours?");
    await cem.says("hours?");
    const page = await rig.open("/conversations?state=held");
    await page.getByRole("link", { name: /@cem_held/ }).click();
    const held = threadOf(page)
      .getByRole("listitem")
      .filter({ hasText: "the answer is held back" });

    await held.getByRole("button", { name: "Send now" }).click();

    await page.getByText("It was held and is pending.").waitFor();
    await held.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?state=held");
    await page.close();
  });

  it("sends all that is held for a person at once", async () => {
    const dea = await someone("dea_twice");
    for (const text of ["hours?", "hours?", "hours?"]) await dea.says(text);
    const page = await rig.open(dea.thread);
    await page.getByText("2 answers are held back.").waitFor();

    await page.getByRole("button", { name: "Send all" }).click();

    await page.getByText("2 answers on the way.").waitFor();
    await page.getByText("2 answers are held back.").waitFor({ state: "detached" });
    expect(await rig.runtime().outbox({ status: "held" })).toEqual([]);
    await page.close();
  });

  it("asks whether an answer of unknown outcome has arrived, as the outbox does", async () => {
    const ida = await someone("ida_unknown");
    const match = { direction: "request" as const, method: "POST", path: "/2/dm_conversations/*" };
    const fault = { type: "status" as const, status: 503 };
    await rig.sandbox.control.addFault({ match, fault, when: { always: true } });
    await ida.says("hours?");
    const page = await rig.open(ida.thread);
    const thread = threadOf(page);
    const doubted = thread.getByRole("listitem").filter({ hasText: "may have arrived or not" });
    await doubted.getByRole("button", { name: "Send again, perhaps twice" }).waitFor();
    expect(await thread.getByRole("button", { name: "Send now" }).count()).toBe(0);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await doubted.getByRole("button", { name: "It has not arrived" }).click();

    await page.getByText("It was unknown and is failed.").waitFor();
    await rig.sandbox.control.clearFaults();
    await page.close();
  });

  it("gives a person back to the bot", async () => {
    const eli = await someone("eli_back");
    await eli.says("a human please");
    await eli.says("hours?");
    const page = await rig.open(eli.thread);
    const thread = threadOf(page);
    await thread
      .getByText(/the bot is silent here by escalation \d+, until a person has/)
      .waitFor();

    await thread.getByRole("button", { name: "Give back to the bot" }).first().click();

    await page.getByText("Rules and bots answer again.").waitFor();
    await eli.says("the hours, please");
    await thread.getByText("by rule hours").waitFor();
    expect(await thread.getByRole("button", { name: "Give back to the bot" }).count()).toBe(0);
    await page.close();
  });

  it("finds a person among many, and reports if there is none", async () => {
    await (await someone("fay_here")).says("hello");
    await (await someone("gil_other")).says("hello");
    const page = await rig.open("/conversations?text=nobody");

    await page.getByText("No conversation matches.").waitFor();
    await page.getByLabel("Search").fill("@FAY");
    await page.getByRole("link", { name: /@fay_here/ }).waitFor();
    expect(await page.getByRole("link", { name: /@gil_other/ }).count()).toBe(0);
    await page.close();
  });
});
