// @module-tag browser
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runFiles } from "../../src/insight/tests/run-files.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  const says = (text: string) =>
    rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });
  await rig.sandbox.control.addFault({
    match: { direction: "delivery" },
    fault: { type: "status", status: 503 },
    when: { next: 1 },
  });
  await says("What are your hours?");
  await rig.sandbox.control.advance(60_000);
  await says("tell me a joke");
  await rig.quiet();
});
afterAll(() => rig.close());

const SCHEMES = ["light", "dark"] as const;

describe("Traces", () => {
  it("lists events with what became of them, and finds those that one looks for", async () => {
    const page = await rig.open("/traces");
    const list = page.getByRole("region", { name: "Events, newest first" });
    await list.getByRole("row", { name: /What are your hours.*answered/s }).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await page.getByRole("combobox", { name: "Outcome" }).selectOption("no-match");
    await list.getByRole("row", { name: /tell me a joke/ }).waitFor();
    await list
      .getByRole("row", { name: /What are your hours.*answered/s })
      .waitFor({ state: "detached" });
    expect(page.url()).toBe(`${rig.url}/traces?outcome=no-match`);
    await page.close();
  });

  it("shows the latest choice although an earlier request is answered after it", async () => {
    // A browser may still deliver a response that was complete when its request was aborted.
    const content =
      "{ const send = fetch; fetch = (to, { signal, ...rest } = {}) => send(to, rest); }";
    const page = await rig.openPrepared("/traces", (opened) => opened.addInitScript({ content }));
    let answerEarlier: () => void = () => {};
    const later = new Promise<void>((resolve) => (answerEarlier = resolve));
    const isEarlier = (url: string): boolean =>
      url.includes("/ask/traces?") && url.includes("no-match");
    await page.route(
      ({ href }) => isEarlier(href),
      async (route) => {
        await later;
        await route.continue();
      },
    );
    const outcome = page.getByRole("combobox", { name: "Outcome" });
    const answered = page.getByRole("row", { name: /What are your hours.*answered/s });
    await answered.waitFor();

    const request = page.waitForRequest((sent) => isEarlier(sent.url()));
    await outcome.selectOption("no-match");
    await request;
    await outcome.selectOption({ index: 0 });
    await answered.waitFor();
    const arrived = page.waitForEvent("requestfinished", (sent) => isEarlier(sent.url()));
    answerEarlier();
    await arrived;
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");

    expect(await answered.isVisible()).toBe(true);
    await page.close();
  });

  it("draws the way from the person to the answer, and opens what was sent", async () => {
    const page = await rig.open("/traces/1");
    const chart = page.getByRole("list", { name: "What happened, in order" });
    await chart.getByRole("button", { name: /Platform to Bot: .* → 503.*first attempt/ }).waitFor();
    await chart.getByRole("button", { name: /Platform to Bot: .* → 200.*attempt 2/ }).waitFor();
    await chart.getByText("hours ran").waitFor();
    await chart.getByText("Bot to Platform: POST /2/dm_conversations").waitFor();
    await chart.getByText("Platform to Person: We are open from 9 to 17.").waitFor();

    await chart.getByRole("button", { name: /Bot to Platform/ }).click();
    await page.getByText("authorization: OAuth").waitFor();
    await page.getByText("What was signed").click();
    await page.getByText(/^POST&http%3A/).waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("shows rules with the clause that failed, steps, state, HTTP and source, by tabs and keys", async () => {
    const { control } = rig.sandbox;
    await control.act(rig.people.ben, { type: "dm", to: rig.file.bot.id, text: "sing a song" });
    await rig.quiet();
    const page = await rig.open("/traces/last");
    await page.getByRole("tab", { name: "Sequence" }).focus();
    await page.keyboard.press("ArrowRight");
    const rules = page.getByRole("region", { name: "Rules" });
    await rules.getByText("conditions[0]").waitFor();
    await rules.getByText('"sing a song"').waitFor();
    await rules.getByText("message.text: {contains_word: [hours, open]}").waitFor();
    for (const tab of ["Steps", "State", "HTTP", "Source"]) {
      await page.keyboard.press("ArrowRight");
      expect(await page.getByRole("tab", { name: tab }).getAttribute("aria-selected")).toBe("true");
      expect(await rig.violations(page, "light"), tab).toEqual([]);
    }
    await page.close();
  });

  it("saves a test that passes, and never over another file", async () => {
    const page = await rig.open("/traces/1");
    await page.getByRole("button", { name: "Save as test" }).click();
    await page.getByText("answerback test rules/trace-1.test.yaml").waitFor();
    const path = "rules/trace-1.test.yaml";
    const text = await readFile(join(rig.folder, path), "utf8");
    const [outcome] = await runFiles([{ path, text }], { base: rig.folder });
    expect(outcome?.problems).toEqual([]);
    expect(outcome?.tests.map(({ passed }) => passed)).toEqual([true]);

    await page.getByRole("button", { name: "Save as test" }).click();
    await page.getByText("rules/trace-1.test.yaml exists already").waitFor();
    await page.close();
  });

  it("shares a trace as one file that needs nothing and names nobody", async () => {
    const page = await rig.open("/traces/1");
    const begun = page.waitForEvent("download");
    await page.getByRole("button", { name: "Share without names" }).click();
    const file = join(rig.folder, "shared.html");
    await (await begun).saveAs(file);
    const html = await readFile(file, "utf8");
    expect(html).not.toMatch(/ana|What are your hours/i);
    expect(html).not.toMatch(/<script|https?:\/\//i);
    await page.setContent(html);
    await page.getByText("hours").first().waitFor();
    await page.close();
  });

  it("stands beside another event, and is opened again from the file that it was downloaded as", async () => {
    const page = await rig.open("/traces?person=ana&text=joke");
    await page
      .getByRole("row", { name: /tell me a joke/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByText("Compare with another event").click();
    await page.getByRole("textbox", { name: "Event" }).fill("1");
    await page.keyboard.press("Enter");
    const table = page.getByRole("region", { name: "Compared" });
    await table.getByRole("row", { name: "Outcome no-match answered differs" }).waitFor();
    await table
      .getByRole("row", { name: /^Rule hours condition: conditions\[0\].* ran differs$/ })
      .waitFor();
    expect(page.url()).toMatch(/\?with=1$/);
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await page.goto(`${rig.url}/traces/1`);
    const begun = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const file = join(rig.folder, "trace.json");
    await (await begun).saveAs(file);
    await page.goto(`${rig.url}/traces`);
    const choose = page.getByLabel("Open a downloaded trace");
    await choose.setInputFiles({
      name: "x.json",
      mimeType: "application/json",
      buffer: Buffer.from("{}"),
    });
    await page.getByText("that file is no trace").waitFor();
    await choose.setInputFiles(file);
    await page.getByText("Platform to Person: We are open from 9 to 17.").waitFor();
    expect(await rig.violations(page, "light")).toEqual([]);
    await page.close();
  });

  it("runs an event again without sending, as it was and with another text", async () => {
    const page = await rig.open("/traces?person=ana&text=joke");
    await page
      .getByRole("row", { name: /tell me a joke/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByText("Run again without sending").click();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Compared with the result then: the same").waitFor();
    await page.getByLabel("What the person writes").fill("when do you open?");
    await page.keyboard.press("Enter");
    await page.getByText("Compared with the result then: differs").waitFor();
    await page.getByText("reply_dm We are open from 9 to 17.").waitFor();
    expect(await rig.violations(page, "light")).toEqual([]);
    await page.getByRole("link", { name: "← Previous" }).click();
    await page.getByRole("link", { name: "Next →" }).click();
    await page.getByText("tell me a joke").first().waitFor();

    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("link", { name: /^rules\/rules.yaml:\d+$/ }).click();
    await page.locator('tr[aria-current="true"]').getByText("contains_word").waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("draws each answer with its own request, and how a follow was delivered", async () => {
    const { control } = rig.sandbox;
    const to = rig.file.bot.id;
    const { ben } = rig.people;
    const said = await Promise.all(
      ["are both open?", "and what hours?"].map((text) =>
        control.act(ben, { type: "dm", to, text }),
      ),
    );
    await control.act(ben, { type: "follow", user_id: to });
    await rig.quiet();
    const answers = new Set<string>();
    for (const { id } of said) {
      const page = await rig.open(`/traces/message:${id}`);
      await page.getByText("message to @ben: We are open from 9 to 17.").first().waitFor();
      await page.getByRole("button", { name: /Bot to Platform: POST/ }).click();
      answers.add(
        await page
          .getByText(/"dm_event_id"/)
          .first()
          .innerText(),
      );
      await page.close();
    }
    expect(answers.size).toBe(2);
    const page = await rig.open("/traces");
    await page
      .getByRole("row", { name: /user\.followed/ })
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: /Platform to Bot: follow_events → 200/ }).waitFor();
    await page.close();
  });
});
