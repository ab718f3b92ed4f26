// @module-tag browser
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { LONG_HANG_MS } from "../support/hang-limit.ts";
import { createClient } from "../../src/index.ts";
import type { AppCredentials } from "../../src/sandbox/index.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { testBrowser, type TestBrowser } from "../support/chromium.ts";
import { begin, type Running } from "../support/command-line.ts";
import { ownAddress } from "../support/own-address.ts";
import { tlsFront, type TlsFront } from "../support/tls-front.ts";
import { when } from "../support/when.ts";

interface Step {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
  readonly details?: readonly string[];
}

/** A sandbox that replaces the live platform. The bot knows only its address and keys. */
let live: RunningSandbox;
let app: AppCredentials;
let browser: TestBrowser;
let front: TlsFront;
let folder: string;
let listen: string;
let callback: URL;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "answerback-live-"));
  [live, browser] = await Promise.all([
    startSandbox({ settings: { limits: { enabled: false } } }),
    testBrowser(),
  ]);
  const own = await ownAddress();
  listen = `${own.host}:${own.port}`;
  front = await tlsFront("bot.example", own);
  callback = new URL(`http://127.0.0.1:${(await ownAddress()).port}/callback`);
  app = await live.control.app({ name: "table bot", callback_urls: [`${callback.href}/`] });
  await live.control.user("tables", { password: "secret tables" });
}, LONG_HANG_MS);
afterAll(async () => {
  await browser.close();
  await front.close();
  await live.close();
  await rm(folder, { recursive: true, force: true });
});

const bot = (): string => join(folder, "tables");

function inBot(...args: readonly string[]): Running {
  return begin({ cwd: bot(), env: { ANSWERBACK_WEBHOOK_LISTEN: listen } }, args);
}

/** Runs `doctor --live` in a separate process that trusts the proxy's certificate. */
async function doctor(): Promise<{ readonly code: number; readonly steps: readonly Step[] }> {
  const ca = join(folder, "ca.pem");
  await writeFile(ca, front.ca);
  const args = ["doctor", "--live", "--json", "--callback", callback.href];
  const to = ["--connect-to", `127.0.0.1:${front.port}`];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(inject("prebuilt"), "src/cli/bin.js"), ...args, ...to],
      {
        cwd: bot(),
        env: {
          PATH: process.env["PATH"],
          NODE_EXTRA_CA_CERTS: ca,
          ANSWERBACK_WEBHOOK_LISTEN: listen,
        },
      },
      (error, stdout) => {
        const lines = stdout.split("\n").filter((line) => line !== "");
        const code = typeof error?.code === "number" ? error.code : 0;
        resolve({ code, steps: lines.map((line): Step => JSON.parse(line)) });
      },
    );
  });
}

const not = (state: string, steps: readonly Step[]): readonly string[] =>
  steps.filter((step) => step.state !== state).map(({ name }) => name);

/** Waits for the first message of the bot account that a person can see. */
async function firstAnswerTo(person: string): Promise<string> {
  const { access_token, access_token_secret } = await live.control.tokens(person, app.app_id);
  const client = createClient({
    baseUrl: live.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: access_token,
      accessTokenSecret: access_token_secret,
    },
  });
  const text = await when(async () => {
    for await (const event of client.dms.events({ dmEventFields: ["sender_id", "text"] })) {
      if (event.sender_id !== person) return event.text;
    }
    return undefined;
  });
  await client.close();
  return text;
}

it("a project goes live: settings, keys, public address, challenge, log-in, and a person is answered", async () => {
  const keys = [
    `CONSUMER_KEY=${app.consumer_key}`,
    `CONSUMER_SECRET=${app.consumer_secret}`,
    `BEARER_TOKEN=${app.bearer_token}`,
  ].join("\n");
  const places = ["--base-url", live.url, "--webhook-url", "https://bot.example/webhook"];
  const init = ["init", "tables", "--live", "--template", "conversation", "--proxy", "nginx"];
  const created = await begin({ cwd: folder, input: keys }, [...init, ...places, "--keys", "-"])
    .ended;
  expect(created.code, created.err).toBe(0);

  const first = await doctor();
  const find = (name: string): Step | undefined => first.steps.find((step) => step.name === name);
  expect(first.code).toBe(3);
  expect(not("ok", first.steps)).toEqual(["permission", "callback", "webhook", "account", "bot"]);
  expect(find("callback")).toMatchObject({
    message: expect.stringContaining("with a slash at its end"),
    fix: expect.stringContaining(`add to Callback URLs exactly: ${callback.href}`),
  });
  expect(find("address")?.message).toContain("https://bot.example/webhook reaches this machine");
  expect(find("webhook")).toMatchObject({
    details: [
      "asked:      GET https://bot.example/webhook?crc_token=…, by the platform",
      expect.stringMatching(/^came back: {2}.*CrcValidationFailed/),
      "seen here:  no",
    ],
  });

  const { control } = live;
  const front443 = { target: `https://127.0.0.1:${front.port}`, ca: front.ca };
  await control.call("PUT", "/hosts/bot.example", front443);
  await control.call("PATCH", `/apps/${app.app_id}`, { callback_urls: [callback.href] });
  const second = await doctor();
  expect(not("ok", second.steps)).toEqual(["permission", "account", "bot"]);

  const page = await browser.context.newPage();
  const linking = inBot("login", "--live", "--no-open", "--port", callback.port);
  await page.goto(await linking.until(/(http:\/\/127\.0\.0\.1:\d+\/oauth\/\S+)/));
  await page.getByLabel("Username").fill("tables");
  await page.getByLabel("Password").fill("secret tables");
  await page.getByRole("button", { name: "Sign in and authorize app" }).click();
  await page.getByRole("heading", { name: "@tables is linked." }).waitFor();
  expect((await linking.ended).code).toBe(0);

  const running = inBot("run", "--live");
  await running.until("Ready: https://bot.example/webhook");
  const ana = await control.user("ana");
  const [tables] = await control.users("tables");
  await control.act(ana, { type: "dm", to: tables?.id ?? "", text: "a table for Friday, please" });
  expect(await firstAnswerTo(ana)).toBe("A table for how many?");

  const last = await doctor();
  expect({ code: last.code, left: not("ok", last.steps) }).toEqual({ code: 0, left: [] });
  const { err } = await running.end();
  expect(err).toMatch(/^\{"level":30,"time":"[^"]+",.*"msg":"ready"\}$/m);
  const lines = err.split("\n").filter((line) => line !== "");
  expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
  expect(err).not.toContain(app.consumer_secret);
});
