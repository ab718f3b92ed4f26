import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  for (const text of ["hours?", "hours again", "a joke"]) {
    await rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });
  }
  await rig.quiet();
});
afterAll(() => rig.close());

const SCHEMES = ["light", "dark"] as const;

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
      .getByText("2 held")
      .waitFor();
    await text
      .getByRole("row", { name: /contains_word/ })
      .getByText("1 not")
      .waitFor();
    expect(page.url()).toBe(`${rig.url}/rules/hours`);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("says what the rules would say to a message, and sends nothing", async () => {
    const page = await rig.open("/rules");
    const box = page.getByRole("region", { name: "Try a message" });
    await box.getByRole("textbox").fill("your hours, please");
    await box.getByRole("button", { name: "Try" }).click();
    await box.getByText("We are open from 9 to 17.").waitFor();
    expect((await rig.runtime().outbox()).length).toBe(2);
    await page.close();
  });

  it("marks mistakes while one writes, says what an edit would change, and saves it", async () => {
    const page = await rig.open("/rules/hours");
    await page.getByRole("button", { name: "Edit the file" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    const before = await readFile(join(rig.folder, "rules", "rules.yaml"), "utf8");
    await editor.fill(before.replace("reply_dm", "replydm"));
    const problems = page.getByRole("list", { name: "Problems" });
    await problems
      .getByText(/replydm/)
      .first()
      .waitFor();
    await editor.press("Escape");
    expect(await page.getByRole("button", { name: "What would change" }).isDisabled()).toBe(true);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await editor.fill(before.replace("from 9 to 17", "all day"));
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
    expect(await readFile(join(rig.folder, "rules", "rules.yaml"), "utf8")).toContain("all day");
    await page.close();
  });

  it("offers the keys that may stand at a place, with what they mean", async () => {
    const page = await rig.open("/rules/hours");
    await page.getByRole("button", { name: "Edit the file" }).click();
    const editor = page.getByRole("textbox", { name: "Text of the rule file" });
    await editor.fill("version: 1\nrules:\n  - id: x\n    coo");
    await editor.press("Control+Space");
    await page.getByRole("option", { name: "cooldown" }).waitFor();
    expect(await page.locator(".cm-completionInfo").innerText()).not.toBe("");
    await page.close();
  });
});
