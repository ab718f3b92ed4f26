// @module-tag browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { when } from "../support/when.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const RULES = `
version: 1
rules:
  - id: human
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: human } }]
    actions:
      - escalate: { queue: support, note: wants a person, pause_bot: { until: resolved } }
`;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig({
    rules: { "rules.yaml": RULES },
    settings: "opt_out: { words: [STOP], back: [START] }",
  });
});
afterAll(() => rig.close());

/** Creates a person who writes to the bot. Each test has its own person, so that tests do not affect each other. */
const someone = async (handle: string) => {
  const id = await rig.sandbox.control.user(handle, { name: handle });
  const act = async (type: "dm" | "post", text: string): Promise<void> => {
    const { bot } = rig.file;
    await rig.sandbox.control.act(
      id,
      type === "dm" ? { type, to: bot.id, text } : { type, text: `@${bot.username} ${text}` },
    );
    await rig.quiet();
  };
  return {
    thread: `/conversations/${rig.file.bot.id}/${id}`,
    lane: `${rig.file.bot.id}/${id}`,
    says: (text: string) => act("dm", text),
    posts: (text: string) => act("post", text),
  };
};
const threadOf = (page: Page) => page.getByRole("region", { name: "Conversation", exact: true });
const itemsIn = (lane: string) => rig.runtime().outbox({ lane, limit: 10 });

/** Pixels by which a page is wider than its window. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

describe("Answering by hand in Conversations", () => {
  it("sends a direct message during a hand-over, shows who wrote it, and leaves the hand-over open", async () => {
    const ana = await someone("ana_hand");
    await ana.says("a human please");
    const page = await rig.open(ana.thread);
    const thread = threadOf(page);
    await thread.getByText("until you give them back").waitFor();

    await thread.getByLabel(/Answer as @.* in a direct message/).fill("I am a person.");
    await thread.getByLabel("Your name").fill("Kim");
    await thread.getByRole("button", { name: "Answer", exact: true }).click();

    await page.getByText("The answer is on its way.").waitFor();
    const answer = thread.getByRole("listitem").filter({ hasText: "answered by hand by Kim" });
    await answer.getByText("sent", { exact: true }).waitFor();
    await answer.getByText("I am a person.").waitFor();
    expect(await thread.getByLabel(/Answer as @/).inputValue()).toBe("");
    await page
      .getByRole("link", { name: /@ana_hand/ })
      .getByText("escalated")
      .waitFor();
    const [item] = await itemsIn(ana.lane);
    const other = await rig.open(`/traces/${item?.seq}`);
    await other.getByText('answer by hand by Kim to @ana_hand: "I am a person."').first().waitFor();
    expect(await other.getByText("came by operator").count()).toBe(0);
    await other.goto(`${rig.url}/outbox`);
    await other.getByRole("row").filter({ hasText: "by hand by Kim" }).waitFor();
    await other.close();
    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
    const form = thread.locator("form");
    await form.getByRole("button", { name: "Give back to the bot" }).click();
    await page.getByText("Rules and bots answer again.").waitFor();
    await thread.getByText("until you give them back").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 844 });
    const row = page.getByRole("link", { name: /@ana_hand/ });
    await row.getByText("answered", { exact: true }).waitFor();
    await row.getByText("answered by hand by Kim").waitFor();
    await page.close();
  });

  it("replies in public to a post, once for a double click", async () => {
    const ben = await someone("ben_hand");
    await ben.posts("are you open?");
    const page = await rig.open(ben.thread);
    const thread = threadOf(page);

    await thread.getByLabel(/Answer as @.* in public, in reply to the post/).fill("Until ten.");
    await thread.getByRole("button", { name: "Answer", exact: true }).dblclick();

    await thread.getByRole("listitem").filter({ hasText: "answered by hand by" }).waitFor();
    await rig.quiet();
    const items = await itemsIn(ben.lane);
    expect(items.map(({ action }) => action)).toMatchObject([
      { type: "reply_post", text: "Until ten." },
    ]);
    await page.close();
  });

  it("is sent once if the server's first answer was lost", async () => {
    const cem = await someone("cem_hand");
    await cem.says("hello");
    const page = await rig.open(cem.thread);
    const thread = threadOf(page);
    await page.route("**/_console/do/answerByHand", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await thread.getByLabel(/Answer as @/).fill("Once.");
    const button = thread.getByRole("button", { name: "Answer", exact: true });
    await button.click();
    await page.getByText(/the bot.s process does not answer/).waitFor();
    await page.unroute("**/_console/do/answerByHand");

    await button.click();

    await page.getByText("The answer is on its way.").waitFor();
    await rig.quiet();
    expect(await itemsIn(cem.lane)).toHaveLength(1);
    await page.close();
  });

  it("keeps a refused text in the form, and shows the reason", async () => {
    const dea = await someone("dea_hand");
    await dea.says("STOP");
    const page = await rig.open(dea.thread);
    const thread = threadOf(page);
    await thread.getByLabel(/Answer as @/).fill("Please stay.");

    await thread.getByRole("button", { name: "Answer", exact: true }).click();

    await page.getByText(/@dea_hand has opted out, and nothing is sent to them/).waitFor();
    expect(await thread.getByLabel(/Answer as @/).inputValue()).toBe("Please stay.");
    expect(await when(() => itemsIn(dea.lane))).toEqual([]);
    await page.close();
  });
});
