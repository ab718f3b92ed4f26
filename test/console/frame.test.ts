// @module-tag browser
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES } from "../../src/console/pages.ts";
import { listSnapshots } from "../../src/runtime/platform/snapshots.ts";
import { join } from "node:path";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const RULES = `version: 1
rules:
  - id: reminder
    name: Reminds of an appointment
    triggers: [dm.received]
    actions:
      - delay: 3h
      - reply_dm: {text: "It is time."}
`;
const SCHEMES = ["light", "dark"] as const;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig({ rules: { "rules.yaml": RULES } });
});
afterAll(() => rig.close());

describe("the console", () => {
  it("has a heading on each page, and its address", async () => {
    const page = await rig.open("/chat");
    for (const { path, title } of PAGES) {
      await page.goto(`${rig.url}${path}`);
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      expect(await page.title()).toBe(`${title} · Answerback`);
    }
    await page.close();
  });

  it("continues if a request gets no answer", async () => {
    const page = await rig.openPrepared("/chat", (opened) =>
      opened.route("**/_console/sandbox/clock", (route) => route.abort()),
    );
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    expect(await page.getByRole("group", { name: "The sandbox's clock" }).count()).toBe(1);
    await page.close();
  });

  it("moves the clock to the next due work, and finds pages, rules, people, traces and settings", async () => {
    const { control } = rig.sandbox;
    await control.freezeClock(true);
    await control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text: "the dentist" });
    await rig.quiet();
    const before = Date.parse((await control.clock()).now);
    const page = await rig.open("/log");
    await page.getByRole("button", { name: "Next timer" }).click();
    await page.getByText("The clock is at the time for which reminder waited").waitFor();
    expect(Date.parse((await control.clock()).now) - before).toBe(3 * 3_600_000);
    await expect
      .poll(async () => (await rig.runtime().outbox()).map(({ status }) => status))
      .toEqual(["sent"]);
    await page.getByRole("button", { name: "Next timer" }).click();
    await page.getByText("No rule waits. The clock is at").waitFor();
    expect((await control.clock()).next_due_at).toMatch(/^\d{4}-.*Z$/);

    const stood = Date.parse((await control.clock()).now);
    const speed = page.getByRole("combobox", { name: "Speed of the clock" });
    await speed.selectOption("60");
    await expect
      .poll(async () => Date.parse((await control.clock()).now) - stood)
      .toBeGreaterThanOrEqual(59_000);
    await speed.selectOption("1");

    const search = page.getByRole("combobox", { name: "Search the console" });
    const goTo = async (words: string, option: RegExp): Promise<string> => {
      await page.keyboard.press("Control+k");
      await search.fill(words);
      await page.getByRole("option", { name: option, selected: true }).waitFor();
      await search.press("Enter");
      await search.waitFor({ state: "detached" });
      return page.url().slice(rig.url.length);
    };
    expect(await goTo("remind", /^rule reminder: Reminds of an/)).toBe("/rules/reminder");
    expect(await goTo("@ana", /^person @ana/)).toBe(`/data/users/${rig.people.ana}`);
    expect(await goTo("dentist", /^trace \d+: dm.received from @ana/)).toMatch(/^\/traces\/\d+$/);
    expect(await goTo("callback", /^setting Callback URLs/)).toMatch(/\?part=callbacks$/);
    expect(await goTo("outb", /^page Outbox/)).toBe("/outbox");
    await page.keyboard.press("Control+k");
    await search.fill("deliv");
    await search.press("Enter");
    await page.waitForURL("**/delivery");

    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "page Conversations", selected: true }).waitFor();
    await page.emulateMedia({ forcedColors: "active" });
    const outline = `getComputedStyle(document.querySelector("#found [aria-selected=true]")).outlineStyle`;
    expect(await page.evaluate(outline)).toBe("solid");
    await page.emulateMedia({ forcedColors: "none" });
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });

  it("has shortcuts of single keys only until they are switched off, for speech input", async () => {
    const page = await rig.open("/faults");
    // The browser hides a closing dialog from its role before the page learns that it has closed, so the element is used.
    const closed = page.locator("dialog");
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByRole("checkbox", { name: "? and g are shortcuts" }).uncheck();
    await page.keyboard.press("Escape");
    await closed.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Faults" }).waitFor();
    for (const key of ["g", "o", "?"]) await page.keyboard.press(key);
    await page.keyboard.press("Control+k");
    const search = page.getByRole("dialog", { name: "Search" });
    await search.waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Faults");
    await page.keyboard.press("Escape");
    await closed.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
    await list.getByRole("checkbox", { name: "? and g are shortcuts" }).check();
    await page.keyboard.press("Escape");
    await closed.waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.getByRole("heading", { level: 1, name: "Outbox" }).waitFor();
    await page.close();
  });

  it("lists the keys on a question mark, restores the focus, and ignores keys while a person types", async () => {
    const page = await rig.open("/faults");
    const link = page.getByRole("link", { name: "Events" });
    await link.focus();
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.waitFor();
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Events");
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await page.getByRole("heading", { level: 1, name: "Outbox" }).waitFor();
    const focused = `document.activeElement.tagName + " " + document.activeElement.textContent`;
    expect(await page.evaluate(focused)).toBe("H1 Outbox");
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Faults" }).waitFor();
    expect(await page.evaluate(focused)).toBe("H1 Faults");
    await page.getByRole("link", { name: "Portal" }).click();
    await page.getByRole("heading", { level: 1, name: "Portal" }).waitFor();
    expect(await page.evaluate(focused)).toMatch(/^H1 .*Portal/);

    await page.goto(`${rig.url}/chat?as=ana`);
    const box = page.getByRole("textbox", { name: "Message" });
    await box.pressSequentially("go?");
    expect(await box.inputValue()).toBe("go?");
    expect(page.url()).toBe(`${rig.url}/chat?as=ana`);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.close();
  });

  it("counts no fault that is over, and saves the world under a name for the command line, too", async () => {
    const { control } = rig.sandbox;
    const match = { direction: "challenge" } as const;
    await control.addFault({
      match,
      fault: { type: "status", status: 503 },
      when: { always: true },
    });
    await control.addFault({
      match,
      fault: { type: "cut" },
      when: { until: "2020-01-01T00:00:00Z" },
    });
    const page = await rig.open("/log");
    await page.getByRole("link", { name: "1 fault", exact: true }).waitFor();

    await page.getByText("Snapshots").click();
    await page.getByRole("textbox", { name: "Name of the snapshot" }).fill("before-cleo");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const back = page.getByRole("button", { name: /^Restore before-cleo, / });
    await back.waitFor();
    const [snapshot] = await listSnapshots(join(rig.folder, "data"));
    expect(snapshot?.name).toBe("before-cleo");
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);

    await control.user("cleo");
    await back.click();
    await page.getByText(/The world is restored from before-cleo/).waitFor();
    expect(await control.users("cleo")).toEqual([]);
    await page.close();
  });

  it("reports if the code of a rarely opened page can't be loaded", async () => {
    const page = await rig.openPrepared("/ads", (opened) =>
      opened.route("**/ads-*.js", (route) => route.abort()),
    );

    expect(await page.locator("main h1").innerText()).toBe("This page could not be loaded");
    await page.getByRole("alert").getByText("Load it again").waitFor();
    await page.unrouteAll();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Ads" }).waitFor();
    await page.close();
  });
});
