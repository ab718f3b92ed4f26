// @module-tag browser
import { afterAll, beforeAll, expect, it } from "vitest";
import { LONG_HANG_MS } from "../../../support/hang-limit.ts";
import { testBrowser, type TestBrowser } from "../../../support/chromium.ts";
import { type LoginClient, startLoginClient } from "../login-client.ts";

let fixture: LoginClient;
let browser: TestBrowser;
beforeAll(async () => {
  fixture = await startLoginClient({ name: "A shop with rather a long name", email: false });
  await fixture.sandbox.control.user("ben");
  browser = await testBrowser();
}, LONG_HANG_MS);
afterAll(async () => {
  await browser.close();
  await fixture.sandbox.close();
});

it.each([
  { width: 1_280, height: 800 },
  { width: 360, height: 740 },
])("all fields and buttons are visible without scrolling at $width×$height", async (size) => {
  const page = await browser.context.newPage();
  await page.setViewportSize(size);
  const { url } = await fixture.page((await fixture.requestToken()).key);
  await page.goto(url);

  for (const seen of [
    page.getByLabel("Username"),
    page.getByLabel("Password"),
    page.getByRole("button", { name: "Sign in and authorize app" }),
    page.getByRole("button", { name: "Cancel" }),
    page.getByRole("button", { name: "@ben" }),
  ]) {
    const box = await seen.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(size.height);
  }
  const width: unknown = await page.evaluate("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(size.width);
  await page.close();
});
