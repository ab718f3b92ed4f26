// @module-tag browser
import { afterAll, beforeAll, expect, it } from "vitest";
import { LONG_HANG_MS } from "../../../support/hang-limit.ts";
import { testBrowser, type TestBrowser } from "../../../support/chromium.ts";
import { begin } from "../../../support/command-line.ts";
import { runningDev, type RunningDev } from "../../support/running-dev.ts";

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+\/oauth\/\S+)/;

let dev: RunningDev;
let browser: TestBrowser;
beforeAll(async () => {
  browser = await testBrowser();
  dev = await runningDev();
}, LONG_HANG_MS);
afterAll(async () => {
  await browser.close();
  await dev.close();
});

it("links an account by a browser, which is then sent on without a question", async () => {
  await dev.control.user("shop", { password: "secret shop" });
  const page = await browser.context.newPage();
  const first = begin({ cwd: dev.folder }, ["login", "--port", "0"]);

  await page.goto(await first.until(ADDRESS));
  await page.getByLabel("Username").fill("shop");
  await page.getByLabel("Password").fill("secret shop");
  await page.getByRole("button", { name: "Sign in and authorize app" }).click();
  await page.getByRole("heading", { name: "@shop is linked." }).waitFor();
  const linked = await first.ended;
  const again = begin({ cwd: dev.folder }, ["login", "--port", "0"]);
  await page.goto(await again.until(ADDRESS));
  await page.getByRole("heading", { name: "@shop is linked." }).waitFor();

  expect(linked.out).toContain("@shop");
  expect((await again.ended).code).toBe(0);
});
