// @module-tag browser
import { chromium } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { testBrowser } from "../../support/chromium.ts";
import { when } from "../../support/when.ts";
import { NothingThere } from "../door.ts";
import { type BrowserSource, browserSource } from "./shared-browser.ts";

const say = (): void => {};

let source: BrowserSource | undefined;
afterEach(() => source?.close());

describe("the browser that tests share", () => {
  it("gives each of them separate cookies", async () => {
    const [one, other] = [await testBrowser(), await testBrowser()];
    try {
      await one.context.addCookies([{ name: "mine", value: "1", url: "http://127.0.0.1/" }]);

      expect(await one.context.cookies()).toMatchObject([{ name: "mine" }]);
      expect(await other.context.cookies()).toEqual([]);
    } finally {
      await one.close();
      await other.close();
    }
  });

  it("is started once, and again after it has crashed", async () => {
    const crashing = browserSource({ env: process.env, say });
    source = crashing;
    const [first, same] = await Promise.all([crashing.endpoint(), crashing.endpoint()]);
    expect(same).toBe(first);

    const browser = await chromium.connect(first);
    const ended = new Promise((resolve) => browser.once("disconnected", resolve));
    const session = await browser.newBrowserCDPSession();
    // The command's promise rejects, because the crashed browser sends no answer.
    await expect(session.send("Browser.crash")).rejects.toThrow("closed");
    await ended;

    // Clients of the server notice the end before the server does.
    const next = await when(async () => {
      const endpoint = await crashing.endpoint();
      return endpoint === first ? undefined : endpoint;
    });
    const second = await chromium.connect(next);
    expect(second.isConnected()).toBe(true);
    await second.close();
  });

  it("is reported missing if there is none", async () => {
    source = browserSource({ env: { CHROMIUM_PATH: "/nowhere" }, say });

    await expect(source.endpoint()).rejects.toThrow(NothingThere);
    await expect(source.endpoint()).rejects.toThrow("no Chromium starts at CHROMIUM_PATH=/nowhere");
  });
});
