// @module-tag browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGES } from "../../src/console/pages.ts";
import { type ConsoleRig, openConsoleRig } from "./console-rig.ts";

const TELEPHONE = { width: 390, height: 844 } as const;
const SCHEMES = ["light", "dark"] as const;
const RULES = `
version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: "We are open from 9:00 to 17:30, and on Saturdays from 10:00 to 14:00."}]
  - id: human
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: human}}]
    actions: [{escalate: {queue: support, note: wants a person}}]
`;
const BROKEN = `
version: 1
rules:
  - id: broken
    triggers: [dm.received]
    conditions: [{message.txt: {contains_word: x}}]
    actions: [{reply_dm: hi}]
`;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig({
    rules: { "broken.yaml": BROKEN, "rules.yaml": RULES },
    settings: "limits: {equal_replies: 2 in 10m}",
  });
  const says = (text: string) =>
    rig.sandbox.control.act(rig.people.ana, { type: "dm", to: rig.file.bot.id, text });
  for (const text of ["hours?", "hours?", "hours?", "a human please", "nothing of that"]) {
    await says(text);
  }
  await rig.quiet();
});
afterAll(() => rig.close());

/**
 * Returns elements that extend beyond the right edge of the window. Elements that a surrounding element scrolls or
 * hides are left out.
 */
async function tooWide(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const right = document.documentElement.clientWidth + 1;
    const isFree = (element) => {
      for (let around = element.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflowX !== "visible") return false;
      }
      return true;
    };
    return [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > right && isFree(one))
      .map((one) => one.outerHTML.slice(0, 120));
  })()`);
}

describe.each(PAGES)("$title on a telephone", ({ path, title }) => {
  it("fits its width, marks the current page, shows rows as cards, and has no accessibility problems", async () => {
    const page = await rig.open(path);
    await page.setViewportSize(TELEPHONE);
    await page.reload();
    await page.locator("main h1").waitFor();

    expect(await tooWide(page)).toEqual([]);
    const link = await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: title, exact: true })
      .boundingBox();
    expect(link).toMatchObject({ y: expect.any(Number) });
    expect(link?.x).toBeGreaterThanOrEqual(0);
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(TELEPHONE.width);
    // on a telephone, two rows of the header and one of the navigation fit above this height
    expect((link?.y ?? 0) + (link?.height ?? 0)).toBeLessThanOrEqual(120);
    for (const table of await page.locator("table.cards").all()) {
      const { width = 0 } = (await table.boundingBox()) ?? {};
      expect(width).toBeLessThanOrEqual(TELEPHONE.width);
    }
    for (const scheme of SCHEMES) expect(await rig.violations(page, scheme), scheme).toEqual([]);
    await page.close();
  });
});

it("Chat has its composer on the first screen of a telephone", async () => {
  const page = await rig.open("/chat");
  await page.setViewportSize(TELEPHONE);
  const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();

  expect((send?.y ?? Infinity) + (send?.height ?? 0)).toBeLessThanOrEqual(TELEPHONE.height);
  await page.close();
});

it("a row is a card with the headings of its columns", async () => {
  const page = await rig.open("/outbox");
  await page.setViewportSize(TELEPHONE);
  const cell = page.getByRole("cell", { name: /held/ });
  await cell.waitFor();

  expect(await cell.getAttribute("data-label")).toBe("Status");
  await page.close();
});

it("Rules shows the problems of a file that has no sound rule", async () => {
  const page = await rig.open("/rules");
  const problem = page.getByText("rules/broken.yaml:6:");
  await problem.waitFor();

  expect(await problem.count()).toBe(1);
  await page.close();
});
