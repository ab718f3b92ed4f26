import { execFile } from "node:child_process";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type BrowserContext } from "playwright-core";

const execute = promisify(execFile);

/** A headless browser with a profile of its own. */
export interface TestBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts Chromium: the one that CHROMIUM_PATH names, one of the system's, or one that is installed
 * now from the system's packages.
 *
 * @throws {Error} saying what to install, when there is none to be had.
 */
export async function testBrowser(): Promise<TestBrowser> {
  const executablePath = (await installed()) ?? (await install());
  const profile = await mkdtemp(join(tmpdir(), "answerback-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: FLAGS,
    viewport: { width: 900, height: 900 },
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

const USUAL_PLACES = ["chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

async function installed(): Promise<string | undefined> {
  const named = process.env["CHROMIUM_PATH"];
  for (const place of named === undefined || named === "" ? USUAL_PLACES : [named]) {
    const isThere = await access(place).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}

const MISSING =
  "the browser tests need Chromium: install the system's chromium package, or name one in CHROMIUM_PATH";

async function install(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error(MISSING);
  try {
    await execute("apt-get", ["update"]);
    await execute("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
  } catch (cause) {
    throw new Error(MISSING, { cause });
  }
  const place = await installed();
  if (place === undefined) throw new Error(MISSING);
  return place;
}
