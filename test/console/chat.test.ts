// @module-tag browser
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

/** Creates a person whose conversation only one test uses. */
const person = (username: string): Promise<string> => rig.sandbox.control.user(username);

describe("Chat", () => {
  it("sends a person's message with Enter, and shows the answer beside its rule", async () => {
    const page = await rig.open("/chat");
    await page.getByRole("combobox", { name: "Speak as" }).selectOption("ben");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("What are your hours?");
    await box.press("Enter");

    const bens = page.getByRole("region", { name: "Conversation of @ben" });
    const answer = bens.getByRole("link", { name: /We are open from 9 to 17/ });
    await answer.waitFor();
    const side = page.getByRole("complementary", { name: "What happened" });
    await side.getByText("1 event → 1 of 1 rule → 1 answer").waitFor();
    await side.getByText("hours ran").waitFor();

    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    await answer.click();
    await page.getByRole("heading", { level: 1, name: "Traces" }).waitFor();
    expect(page.url()).toMatch(/\/traces\/\d+$/);
    await page.close();
  });

  it("shows why there is no answer, and brings back the last text with the up arrow", async () => {
    const page = await rig.open("/chat?as=ana");
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("tell me a joke");
    await box.press("Enter");
    const side = page.getByRole("complementary", { name: "What happened" });
    await side.getByText("no-match").waitFor();
    await side
      .getByText(/text has the word|contains_word|hours/)
      .first()
      .waitFor();

    await box.press("ArrowUp");
    expect(await box.inputValue()).toBe("tell me a joke");
    await page.close();
  });

  it("counts the weighted characters of a public text like the platform, and does not count messages", async () => {
    const page = await rig.open("/chat?as=ana");
    const box = page.getByRole("textbox", { name: "Message" });
    const deed = page.getByRole("combobox", { name: "What to do" });
    await box.fill("今日は 👨‍👩‍👧‍👦 https://shop.example.com/a/long/way");
    expect(await page.getByText(/of 280/).count()).toBe(0);

    await deed.selectOption("post");
    await page.getByText("33 of 280").waitFor();
    // a mention begins with the bot's handle, which counts towards the 280 characters
    await deed.selectOption("mention");
    await page.getByText(`${34 + rig.file.bot.username.length + 1} of 280`).waitFor();
    expect(await box.getAttribute("aria-describedby")).toBe("chat-length");

    await deed.selectOption("post");
    await box.fill("茶".repeat(141));
    await page.getByText("282 of 280").waitFor();
    await page.getByText("only as longform").waitFor();
    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    await page.close();
  });

  it("sends a suggestion, and follows the bot as a person", async () => {
    await person("cleo");
    await person("CLEO2");
    const page = await rig.open("/chat?as=cleo");
    const cleos = page.getByRole("region", { name: "Conversation of @cleo" });
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("tell me a joke");
    await box.press("Enter");
    await cleos.getByText("tell me a joke").waitFor();
    const suggestions = page.getByRole("group", { name: "Suggestions" });
    await suggestions.getByRole("button", { name: "hours", exact: true }).click();
    await cleos.getByRole("link", { name: /We are open/ }).waitFor();

    await suggestions.getByRole("button", { name: "Follow the bot" }).click();
    await cleos.getByRole("link", { name: /Welcome, @cleo!/ }).waitFor();
    const followed = cleos.getByRole("button", { name: "@cleo followed the bot" });
    await followed.click();
    await cleos.getByRole("button", { name: "Restart from here" }).click();
    await page.getByText("@cleo3 is new to the bot and has said the same 3.").waitFor();
    const again = page.getByRole("region", { name: "Conversation of @cleo3" });
    await again.getByRole("link", { name: /Welcome, @cleo3!/ }).waitFor();
    expect(await again.getByRole("listitem").allInnerTexts()).toEqual(
      ["tell me a joke", "hours", "We are open", "@cleo3 followed the bot", "Welcome, @cleo3!"].map(
        (text) => expect.stringContaining(text),
      ),
    );
    await page.close();
  });

  it("posts and deletes the post again", async () => {
    const page = await rig.open("/chat?as=ben");
    const bens = page.getByRole("region", { name: "Conversation of @ben" });
    const deed = page.getByRole("combobox", { name: "What to do" });
    await deed.selectOption("post");
    await page.getByRole("textbox", { name: "Message" }).fill("a post to regret");
    await page.keyboard.press("Enter");
    await bens.getByRole("button", { name: "a post to regret" }).waitFor();
    await deed.selectOption("delete");
    await page.getByRole("button", { name: "Do it" }).click();
    await bens.getByText("@ben deleted a post").waitFor();
    expect((await rig.sandbox.control.activities(rig.people.ben)).at(-1)?.kind).toBe("delete");
    await page.close();
  });

  it("replays the last messages with changed rules, and sends nothing", async () => {
    const dora = await person("dora");
    const says = (text: string) =>
      rig.sandbox.control.act(dora, { type: "dm", to: rig.file.bot.id, text });
    for (const text of [
      "What are your hours?",
      "tell me a joke",
      "hours",
      "another joke",
      "open?",
    ]) {
      await says(text);
    }
    const page = await rig.open("/chat");
    await page.getByText("connected", { exact: true }).waitFor();
    await rig.quiet();
    const sent = (await rig.runtime().outbox()).length;
    const file = join(rig.folder, "rules", "rules.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("from 9 to 17", "all day"));
    await rig.runtime().reload();
    await page.getByText("Rules reloaded: 1 changed.").waitFor();

    const banner = page.getByRole("region", { name: "Other rules" });
    await banner.getByRole("button", { name: "Say them again" }).click();
    await banner.getByText("3 of 5 messages would be answered differently.").waitFor();
    const table = banner.getByRole("region", { name: "Said again" });
    const askedRow = table.getByRole("row", { name: /@dora What are your hours/ });
    await askedRow.getByText("We are open from 9 to 17.").waitFor();
    await askedRow.getByText("We are open all day.").waitFor();
    await askedRow.getByText("differs").waitFor();
    expect(await table.getByRole("row", { name: /@dora .*joke .*the same/ }).count()).toBe(2);
    for (const scheme of ["light", "dark"] as const) {
      expect(await rig.violations(page, scheme), scheme).toEqual([]);
    }
    expect((await rig.runtime().outbox()).length).toBe(sent);
    await banner.getByRole("button", { name: "Dismiss" }).click();
    await banner.waitFor({ state: "detached" });
    await writeFile(file, text);
    await rig.runtime().reload();
    await page.close();
  });
});
