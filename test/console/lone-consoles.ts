import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import axe from "axe-core";
import { loadSettings } from "../../src/config/load-settings.ts";
import { serveConsole } from "../../src/console/serve-console.ts";
import { callRuntime } from "../../src/runtime/control/call.ts";
import { openLog } from "../../src/runtime/log.ts";
import { openFromSettings } from "../../src/host/open.ts";
import { readRuleFiles } from "../../src/host/open-runtime.ts";
import { PAGES } from "../../src/console/pages.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { testBrowser } from "../support/chromium.ts";
import { ownAddress } from "../support/own-address.ts";
import { signInPage } from "./signed-in.ts";

/** A console that shows a sandbox without a bot, or a bot without a sandbox. */
export interface LoneConsole {
  /** URL that signs in one browser, once. */
  readonly link: string;
  close(): Promise<void>;
}

const log = openLog({ level: "silent" });

/** A sandbox with its console, as `answerback sandbox` serves it. */
export async function sandboxAlone(): Promise<LoneConsole> {
  const sandbox = await startSandbox();
  const { url: baseUrl, adsUrl, control } = sandbox;
  const shown = await serveConsole({
    at: { host: "127.0.0.1", port: 0 },
    linkRole: "operator",
    sandbox: { baseUrl, adsUrl, control },
    log,
  });
  return {
    link: (await shown.invite()).url,
    async close() {
      await shown.close();
      await sandbox.close();
    },
  };
}

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    actions:
      - reply_dm: {text: "From 9 to 17."}
`;

export const ADMIN_TOKEN = "an-admin-token-of-this-test";

/**
 * Starts a bot with a console on a platform that the bot treats as the live one. Its account has received a message.
 *
 * @param environment Environment variables of the bot's process.
 */
export async function liveBot(
  environment: Readonly<Record<string, string>> = {},
): Promise<LoneConsole & { readonly consumerSecret: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-live-console-"));
  const platform = await startSandbox({ settings: { limits: { enabled: false } } });
  const { url, control } = platform;
  const app = await control.app();
  const [consoleAt, webhookAt] = [await ownAddress(), await ownAddress()];
  await control.host("bot.example", `http://${webhookAt.host}:${webhookAt.port}`);
  await mkdir(join(folder, "rules"));
  await writeFile(join(folder, "rules", "rules.yaml"), RULES);
  const config = join(folder, "answerback.yaml");
  await writeFile(
    config,
    `version: 1
target: live
platform: {base_url: "${url}"}
app:
  consumer_key: "${app.consumer_key}"
  consumer_secret: "${app.consumer_secret}"
  bearer_token: "${app.bearer_token}"
webhook: {url: "https://bot.example/webhook", listen: "${webhookAt.host}:${webhookAt.port}"}
console: {listen: "127.0.0.1:${consoleAt.port}", admin_token: ${ADMIN_TOKEN}}
store: file:data
bots: []
`,
  );
  const data = join(folder, "data");
  await mkdir(data);
  const settings = await loadSettings({ cwd: folder, file: config, environment: {} });
  const runtime = await openFromSettings({
    settings,
    folder: data,
    base: folder,
    readRules: () => readRuleFiles(settings.rules, folder),
    environment: {},
    secrets: { ...environment, APP_SECRET: app.consumer_secret, ADMIN: ADMIN_TOKEN },
    log,
  });
  const ana = await control.user("ana");
  const id = await control.user("hello_bot");
  const tokens = await control.tokens(id, app.app_id);
  await runtime.linkAccount({
    id,
    username: "hello_bot",
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  const sent = new Promise((resolve) => runtime.events.on("item-settled", resolve));
  await control.act(ana, { type: "dm", to: id, text: "When are you open?" });
  await sent;
  const invitation = await callRuntime(data, "openConsole", {});
  return {
    link: invitation?.url ?? "",
    consumerSecret: app.consumer_secret,
    folder,
    async close() {
      await runtime.stop();
      await platform.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Content of a page as a new visitor sees it. */
export interface FoundPage {
  /** Whether the navigation has a link to the page. */
  readonly isLinked: boolean;
  /** Text below the page's heading. */
  readonly text: string;
  /** Errors that the page shows or the browser reports, and violations that axe finds. */
  readonly faults: readonly string[];
}

/** Opens a console by its sign-in URL, and visits every page. */
export async function everyPageOf({ link }: LoneConsole): Promise<ReadonlyMap<string, FoundPage>> {
  const browser = await testBrowser();
  try {
    const page = await browser.context.newPage();
    const faults: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", ({ message }) => faults.push(message));
    await signInPage(page, link);
    const navigation = page.getByRole("navigation", { name: "Pages" });
    await navigation.waitFor();
    await page.evaluate(axe.source);
    const pages = new Map<string, FoundPage>();
    for (const { path, title } of PAGES) {
      const linked = navigation.getByRole("link", { name: title, exact: true });
      const isLinked = (await linked.count()) > 0;
      if (isLinked) await linked.click();
      else
        await page.evaluate(
          `history.pushState(null, "", "${path}"), dispatchEvent(new Event("popstate"))`,
        );
      await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();
      await page.locator("main").filter({ hasNotText: "Loading …" }).waitFor();
      const main = page.getByRole("main");
      faults.push(...(await main.getByRole("alert").allInnerTexts()));
      faults.push(...(await page.locator(".toast").allInnerTexts()));
      const { violations }: { violations?: readonly { id: string }[] } = Object(
        await page.evaluate("axe.run(document)"),
      );
      faults.push(...(violations ?? []).map(({ id }) => id));
      pages.set(path, { isLinked, text: await main.innerText(), faults: faults.splice(0) });
    }
    return pages;
  } finally {
    await browser.close();
  }
}
