// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.sandbox.control.act(rig.people.ana, { type: "post", text: "a first post" });
});
afterAll(() => rig.close());

const SCHEMES = ["light", "dark"] as const;

describe("API", () => {
  it("finds an endpoint, calls it as a person, and shows the signed text", async () => {
    const page = await rig.open("/api?find=users/me");
    await page.getByRole("link", { name: "GET /2/users/me", exact: true }).click();
    const form = page.getByRole("region", { name: "GET /2/users/me" });
    await form.getByText("assumed").waitFor();
    expect(await form.getByRole("combobox", { name: "As" }).inputValue()).toBe(rig.file.bot.id);
    await form.getByRole("combobox", { name: "As" }).selectOption({ label: "@ana, by OAuth 1.0a" });
    await form.getByRole("textbox", { name: "Query" }).fill("user.fields=created_at");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText('"username": "ana"').first().waitFor();
    await form.getByText("As it was sent, and what was signed").click();
    await form.getByText("What was signed", { exact: true }).click();
    await form.getByText(/^GET&http%3A.*user\.fields%3Dcreated_at/).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("posts as a person", async () => {
    const page = await rig.open("/api/POST/2/posts");
    const form = page.getByRole("region", { name: "POST /2/posts" });
    await form.getByRole("combobox", { name: "As" }).selectOption({ label: "@ben, by OAuth 1.0a" });
    const body = form.getByRole("textbox", { name: "Body, as JSON" });
    expect(JSON.parse(await body.inputValue())).toEqual({ text: "hello" });
    await body.fill('{"text":"by the form"}');
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("201", { exact: true }).first().waitFor();
    const [latest] = await rig.sandbox.control.activities(rig.people.ben, 1);
    expect(latest).toMatchObject({ kind: "post", text: "by the form" });
    await page.goto(`${rig.url}/api/POST/2/nothing`);
    await page.getByText("There is no POST /2/nothing here.").waitFor();
    await page.close();
  });
});

describe("Data", () => {
  it("lists people and posts, changes a person, and shows the effect of a field on an answer", async () => {
    const page = await rig.open("/data");
    await page.getByRole("link", { name: "@ana", exact: true }).click();
    const form = page.getByRole("form", { name: "Change @ana" });
    await form.getByRole("textbox", { name: "location" }).fill("Lisbon");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("@ana is changed.").waitFor();

    await page.getByRole("checkbox", { name: "location" }).check();
    await page.locator("mark").filter({ hasText: "Lisbon" }).waitFor();
    await page.getByText("user.fields=location").first().waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await page.getByRole("link", { name: "Posts" }).click();
    const posts = page.getByRole("region", { name: "Posts" });
    await posts
      .getByRole("row", { name: /@ana.*a first post/ })
      .getByRole("link", { name: /^\d+$/ })
      .click();
    await page.getByText('"text": "a first post"').first().waitFor();
    await page.close();
  });

  it("makes a poll by its form, and has people vote at its address", async () => {
    const page = await rig.open("/data/polls");
    await page.getByText("There is no poll yet.").waitFor();
    const form = page.getByRole("form", { name: "Post a poll" });
    await form.getByRole("textbox", { name: "Question" }).fill("Tea or coffee?");
    await form.getByRole("textbox", { name: "Options" }).fill("tea, coffee");
    await form.getByRole("button", { name: "Post" }).click();
    const row = page.getByRole("row", { name: /tea, coffee.*open/ });
    await row.getByRole("link").click();

    const vote = page.getByRole("form", { name: "Vote" });
    await vote.getByRole("combobox", { name: "Option" }).selectOption("coffee");
    await vote.getByRole("button", { name: "Vote" }).click();
    await page.getByText("The vote is counted.").waitFor();
    await vote.getByRole("button", { name: "Vote" }).click();
    await page.getByText(/has voted in poll/).waitFor();
    expect(await rig.violations(page, "light")).toEqual([]);
    await page.close();
  });
});
