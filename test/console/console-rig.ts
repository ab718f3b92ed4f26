import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { loadSettings } from "../../src/config/load-settings.ts";
import { openFromSettings } from "../../src/host/open.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openLog } from "../../src/runtime/log.ts";
import { readRuleFiles } from "../../src/host/open-runtime.ts";
import { callRuntime } from "../../src/runtime/control/call.ts";
import type { SandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { writeSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../src/runtime/platform/seed-sandbox.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { allDelivered } from "../support/all-delivered.ts";
import { type TestBrowser, testBrowser } from "../support/chromium.ts";
import { WAIT_MS } from "../support/hang-limit.ts";
import { ownAddress } from "../support/own-address.ts";
import { when } from "../support/when.ts";
import { signInPage } from "./signed-in.ts";

export interface ConsoleRigOptions {
  /** Rule files, by name. */
  readonly rules?: Readonly<Record<string, string>>;
  /** Additional lines of the settings file. */
  readonly settings?: string;
}

/** A sandbox and a bot in this process, their console, and a browser that is signed in to it. */
export interface ConsoleRig {
  readonly sandbox: RunningSandbox;
  readonly runtime: () => Runtime;
  readonly file: SandboxFile;
  /** Ids of the people, by handle. */
  readonly people: Readonly<Record<"ana" | "ben", string>>;
  /** URL of the console, without a trailing slash. */
  readonly url: string;
  readonly folder: string;
  /** Returns a URL that signs in one browser, once. */
  link(): Promise<string>;
  /** Opens a page in the signed-in browser, and waits until the page receives live events. */
  open(path: string): Promise<Page>;
  /** Opens a page. `prepare` can change it before its first request. The page may not receive live events yet. */
  openPrepared(path: string, prepare: (page: Page) => Promise<unknown>): Promise<Page>;
  /** Accessibility violations that axe finds on a page in one color scheme: axe's rule and the element. */
  violations(page: Page, scheme: "light" | "dark"): Promise<readonly string[]>;
  /** Stops the bot. This stops the console too. */
  stop(): Promise<void>;
  /** Starts the bot again, at the same addresses. */
  start(): Promise<void>;
  /** Resolves when the bot has no work in progress. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const RULES = `
version: 1
rules:
  - id: hours
    name: Opening hours
    triggers: [dm.received]
    conditions:
      - message.text: {contains_word: [hours, open]}
    actions:
      - reply_dm: {text: "We are open from 9 to 17."}
  - id: welcome
    triggers: [user.followed]
    actions:
      - reply_dm: {text: "Welcome, @\${{ sender.username }}!"}
`;

/** Starts sandbox, bot, console and browser, with a new folder. */
export async function openConsoleRig(options: ConsoleRigOptions = {}): Promise<ConsoleRig> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-console-"));
  const config = join(folder, "answerback.yaml");
  await mkdir(join(folder, "rules"), { recursive: true });
  for (const [name, text] of Object.entries(options.rules ?? { "rules.yaml": RULES })) {
    await writeFile(join(folder, "rules", name), text);
  }
  const consoleAt = await ownAddress();
  const listen = await ownAddress();
  await writeFile(
    config,
    [
      "version: 1",
      "bots: []",
      "store: file:data",
      `webhook: {listen: "${listen.host}:${listen.port}"}`,
      `console: {listen: "127.0.0.1:${consoleAt.port}"}`,
      options.settings ?? "",
    ].join("\n"),
  );
  const data = join(folder, "data");
  await mkdir(data);
  const settings = await loadSettings({ cwd: folder, file: config, environment: {} });
  const sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  const people = [
    { username: "ana", name: "Ana" },
    { username: "ben", name: "Ben" },
  ];
  const file = await seedSandbox({
    settings,
    sandbox,
    folder: data,
    before: undefined,
    listen,
    people,
    env: {},
  });
  await writeSandboxFile(data, file);
  const start = (): Promise<Runtime> =>
    openFromSettings({
      settings,
      folder: data,
      base: folder,
      readRules: () => readRuleFiles(settings.rules, folder),
      environment: {},
      secrets: {},
      log: openLog({ level: "silent" }),
    });
  let runtime = await start();
  let browser: Promise<TestBrowser> | undefined;
  const link = async (): Promise<string> => {
    const invitation = await callRuntime(data, "openConsole", {});
    if (invitation?.url === undefined) throw new Error("the bot serves no console");
    return invitation.url;
  };
  /** Opens a browser that is signed in. Its pages share the session. */
  const signedIn = async (): Promise<TestBrowser> => {
    const opened = await testBrowser();
    const page = await opened.context.newPage();
    await signInPage(page, await link());
    await page.close();
    return opened;
  };
  const url = `http://127.0.0.1:${consoleAt.port}`;
  const openPrepared: ConsoleRig["openPrepared"] = async (path, prepare) => {
    browser ??= signedIn();
    const page = await (await browser).context.newPage();
    page.on("pageerror", (error) => {
      throw error;
    });
    page.setDefaultTimeout(WAIT_MS);
    await prepare(page);
    await page.goto(`${url}${path}`);
    await page.locator("main h1").waitFor();
    return page;
  };
  return {
    sandbox,
    runtime: () => runtime,
    file,
    people: { ana: file.people[0]?.id ?? "", ben: file.people[1]?.id ?? "" },
    url,
    folder,
    link,
    openPrepared,
    async open(path) {
      const page = await openPrepared(path, async () => {});
      await page.locator("header").getByText("connected", { exact: true }).waitFor();
      return page;
    },
    async violations(page, scheme) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      // the page's content security policy blocks injected script elements, so this evaluates the script
      await page.evaluate(axe.source);
      const result = await page.evaluate("axe.run(document)");
      const { violations } = Object(result);
      return (violations as readonly { id: string; nodes: readonly { html: string }[] }[]).flatMap(
        ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`),
      );
    },
    stop: () => runtime.stop(),
    async start() {
      runtime = await start();
    },
    async quiet() {
      await when(async () => {
        await allDelivered(sandbox);
        const { inbox, items } = (await runtime.status()).store;
        return inbox + items.pending + items.sending === 0 ? true : undefined;
      });
    },
    async close() {
      await (await browser)?.close();
      await runtime.stop();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
