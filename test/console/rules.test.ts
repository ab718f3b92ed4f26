// @module-tag browser
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Text } from "@codemirror/state";
import { keysAt } from "../../src/console/page/pages/rules/schema-places.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
let file: string;
let original: string;
beforeAll(async () => {
  rig = await openConsoleRig();
  file = join(rig.folder, "rules", "rules.yaml");
  original = await readFile(file, "utf8");
  for (const text of ["hours?", "hours again", "a joke"]) {
    await rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });
  }
  await rig.quiet();
});
afterEach(async () => {
  if ((await readFile(file, "utf8")) === original) return;
  await writeFile(file, original);
  await rig.runtime().reload();
});
afterAll(() => rig.close());

const SCHEMES = ["light", "dark"] as const;

it("knows which keys lead to a place, by columns and by brackets", () => {
  const text = `rules:
  - id: x
    conditions: [{message.text: {contains_word: hi}}]
    actions:
    - reply_dm:
        text: "{a: [b"
        quick_replies: [{label: yes}, {`;
  const doc = Text.of(text.split("\n"));
  const at = (words: string) => keysAt(doc, text.indexOf(words) + words.length);

  expect(at("- id: ")).toEqual({ path: ["rules"], key: "id" });
  expect(at("conditions: [")).toEqual({ path: ["rules"], key: "conditions" });
  expect(at("conditions: [{")).toEqual({ path: ["rules", "conditions"] });
  expect(at("{contains_word: ")).toEqual({
    path: ["rules", "conditions", "message.text"],
    key: "contains_word",
  });
  expect(at('text: "{a: [b')).toEqual({
    path: ["rules", "actions", "reply_dm"],
    key: "text",
  });
  expect(at("yes}, {")).toEqual({ path: ["rules", "actions", "reply_dm", "quick_replies"] });
});

describe("Rules", () => {
  it("lists rules with how often they ran, and shows one in its file, line by line", async () => {
    const page = await rig.open("/rules");
    const list = page.getByRole("region", { name: "Rules" });
    await list.getByRole("row", { name: /hours .*2/ }).waitFor();
    await list.getByRole("row", { name: /welcome .*never matched/ }).waitFor();
    await list.getByRole("img", { name: "hours ran 2 times, at most 2 at a time" }).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await list.getByRole("link", { name: "hours", exact: true }).click();
    const text = page.getByRole("region", { name: "The text of rules/rules.yaml" });
    await text
      .getByRole("row", { name: /contains_word/ })
      .getByText("2 true")
      .waitFor();
    await text
      .getByRole("row", { name: /contains_word/ })
      .getByText("1 false")
      .waitFor();
    expect(page.url()).toBe(`${rig.url}/rules/hours`);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("shows neither that a rule on trial runs, nor that it never matched", async () => {
    const onTrial = original.replaceAll(
      /^( *)- (id: (?:hours|welcome))$/gm,
      "$1- stage: shadow\n$1  $2",
    );
    expect(onTrial.match(/stage: shadow/g)).toHaveLength(2);
    await writeFile(file, onTrial);
    await rig.runtime().reload();
    const page = await rig.open("/rules");
    const list = page.getByRole("region", { name: "Rules" });
    for (const id of ["hours", "welcome"]) {
      const row = list
        .getByRole("row")
        .filter({ has: page.getByRole("link", { name: id, exact: true }) });
      await row.getByText("shadow", { exact: true }).waitFor();
      expect(await row.getByText(/^(runs|never matched)$/).count()).toBe(0);
    }
    await page.close();
  });

  it("shows what the rules would answer to a message, and sends nothing", async () => {
    const page = await rig.open("/rules");
    const box = page.getByRole("region", { name: "Try a message" });
    await box.getByRole("textbox").fill("your hours, please");
    await box.getByRole("button", { name: "Try" }).click();
    await box.getByText("We are open from 9 to 17.").waitFor();
    expect((await rig.runtime().outbox()).length).toBe(2);
    await page.close();
  });

  it("writes an Arabic or Hebrew message from right to left", async () => {
    const page = await rig.open("/rules");
    const field = page.getByRole("region", { name: "Try a message" }).getByRole("textbox");
    const fromRight: boolean[] = [];
    for (const text of ["hello", "مرحبا", "שלום hello"]) {
      await field.fill(text);
      fromRight.push(await field.evaluate((input) => input.matches(":dir(rtl)")));
    }

    expect(fromRight).toEqual([false, true, true]);
    await page.close();
  });

  it("marks mistakes while a person writes, shows the effect of an edit, and saves it", async () => {
    const page = await rig.open("/rules/hours");
    await page.getByRole("button", { name: "Edit the file" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    await editor.fill(original.replace("reply_dm", "replydm"));
    const problems = page.getByRole("list", { name: "Problems" });
    await problems
      .getByText(/replydm/)
      .first()
      .waitFor();
    await editor.press("Escape");
    expect(await page.getByRole("button", { name: "What would change" }).isDisabled()).toBe(true);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await editor.fill(original.replace("from 9 to 17", "all day"));
    await problems.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "What would change" }).click();
    const answers = page.getByRole("region", { name: "Answers before and after" });
    await answers
      .getByText(/We are open all day/)
      .first()
      .waitFor();
    await answers
      .getByText(/We are open from 9 to 17/)
      .first()
      .waitFor();

    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("rules/rules.yaml is saved.").waitFor();
    await page.getByText("Rules reloaded: 1 changed.").waitFor();
    expect(await readFile(file, "utf8")).toContain("all day");
    await page.close();
  });

  it("saves twice in a row, and does not overwrite changes on disk", async () => {
    const page = await rig.open("/rules/welcome");
    await page.getByRole("button", { name: "Edit the file" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    const save = page.getByRole("button", { name: "Save", exact: true });
    for (const word of ["Hello", "Hi"]) {
      // the file ends without a line break, as some editors save it
      await editor.fill(original.replace("Welcome", word).trimEnd());
      await save.click();
      // The message of the previous save may still be shown.
      await page.getByRole("status").getByText("is saved.").last().waitFor();
      await expect.poll(() => save.isDisabled()).toBe(true);
      expect(await readFile(file, "utf8")).toContain(`${word}, @`);
    }

    const elsewhere = original.replace("Welcome", "Good day");
    await writeFile(file, elsewhere);
    await editor.fill(original.replace("Welcome", "Ahoy"));
    await save.click();
    const refusal = page.getByRole("alert");
    await refusal.getByText(/has changed on disk since it was opened here/).waitFor();
    await refusal.getByRole("button", { name: "Copy my text" }).waitFor();
    expect(await readFile(file, "utf8")).toBe(elsewhere);
    await editor.press("Escape");
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await refusal.getByRole("button", { name: "Open the version on disk" }).click();
    await refusal.waitFor({ state: "detached" });
    await editor.getByText("Good day").waitFor();
    await editor.fill(elsewhere.replace("Good day", "Ahoy"));
    await save.click();
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect(await readFile(file, "utf8")).toContain("Ahoy, @");
    await page.close();
  });

  it("keeps an unsaved edit while a person looks elsewhere, until it is discarded", async () => {
    const page = await rig.open("/rules/hours");
    const open = page.getByRole("button", { name: "Edit the file" });
    await open.click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    await editor.fill(original.replace("from 9 to 17", "all night"));
    await page.getByRole("button", { name: "Discard the edit" }).waitFor();
    await page.getByLabel("Counted over").selectOption("the last week");
    await open.click();
    await editor.getByText("all night").waitFor();

    await page.getByRole("button", { name: "Discard the edit" }).click();
    await editor.getByText("from 9 to 17").waitFor();
    expect(await readFile(file, "utf8")).toBe(original);
    await page.close();
  });

  it("refuses a text with an error before it is looked at, with its line and column", async () => {
    const page = await rig.open("/rules/hours");
    const refused = await page.evaluate(
      async ([text, was]) => {
        const answer = await fetch("/_console/do/saveRules", {
          method: "POST",
          headers: {
            "content-type": "application/json",
            authorization: `Bearer ${Object(globalThis).localStorage.getItem("answerback-session")}`,
          },
          body: JSON.stringify({ file: "rules/rules.yaml", text, before: was, anyway: false }),
        });
        return { status: answer.status, text: await answer.text() };
      },
      [original.replace("reply_dm", "replydm"), original],
    );
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/is not saved, it has 1 error: line 10, column 9: .*replydm/);
    expect(await readFile(file, "utf8")).toBe(original);
    await page.close();
  });

  it("explains a key under the pointer, and has dark colours", async () => {
    const page = await rig.open("/rules/hours");
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "Edit the file" }).click();
    const line = page.locator(".cm-line").filter({ hasText: "contains_word" });
    // The span exists once the text is highlighted. If highlighting replaced an element under the pointer, it would
    // show no hint.
    await line.locator("span", { hasText: "contains_word" }).last().hover();
    await page.locator(".rules-hint").getByText(/word/i).waitFor();
    expect(await rig.violations(page, "dark")).toEqual([]);
    await page.close();
  });

  it("keeps line numbers whole on a narrow page", async () => {
    const page = await rig.open("/rules/hours");
    await page.setViewportSize({ width: 360, height: 740 });
    const number = page.locator(".rules-text td.number").nth(11);
    const height = (one: { getBoundingClientRect(): { height: number } }): number =>
      one.getBoundingClientRect().height;
    expect(await number.innerText()).toBe("12");
    expect(await number.evaluate(height)).toBeLessThan(32);
    await page.close();
  });

  it("offers the keys that are allowed at a place, with explanations", async () => {
    const page = await rig.open("/rules/hours");
    await page.getByRole("button", { name: "Edit the file" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    await editor.fill("version: 1\nrules:\n  - id: x\n    coo");
    await editor.press("Control+Space");
    await page.getByRole("option", { name: "cooldown" }).waitFor();
    expect(await page.locator(".cm-completionInfo").innerText()).not.toBe("");

    await editor.press("Escape");
    await editor.fill("version: 1\nrules:\n  - id: x\n    actions:\n      - reply_d");
    await editor.press("Control+Space");
    await page.getByRole("option", { name: "reply_dm" }).waitFor();
    await page
      .locator(".cm-completionInfo")
      .getByText("Send a message to the person; in a group, to the group.")
      .waitFor();
    await page.close();
  });
});
