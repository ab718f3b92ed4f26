import { type BrowserContext, chromium } from "playwright-core";
import { inject } from "vitest";
import { browserSource } from "../run/browser/shared-browser.ts";
import { askDoor } from "../run/door.ts";

/** Headless browser with its own cookies and storage. */
export interface TestBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/**
 * Opens a context of the browser that all tests of a run share. A test file that uses the browser has the tag `browser`
 * (a comment with `@module-tag`), so that the file is skipped if there is no browser.
 */
export async function testBrowser(): Promise<TestBrowser> {
  return connected(await askDoor(inject("browser")));
}

/**
 * Starts a separate browser, for a program that Vitest does not run.
 *
 * @throws {Error} if there is none; the message explains how to get one.
 */
export async function ownBrowser(): Promise<TestBrowser> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const source = browserSource({ env: process.env, say });
  const browser = await connected(await source.endpoint());
  return {
    context: browser.context,
    async close() {
      await browser.close();
      await source.close();
    },
  };
}

async function connected(endpoint: string): Promise<TestBrowser> {
  const browser = await chromium.connect(endpoint);
  const context = await browser.newContext({ viewport: { width: 900, height: 900 } });
  return { context, close: () => browser.close() };
}
