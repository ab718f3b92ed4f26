import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AppCredentials } from "../../../src/sandbox/index.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { listen } from "../../../src/system/listen.ts";
import { begin, type Ran } from "../../support/command-line.ts";
import { ownAddress } from "../../support/own-address.ts";

interface Step {
  readonly name: string;
  readonly state: string;
  readonly message: string;
  readonly fix?: string;
  readonly details?: readonly string[];
}

const CALLBACK = "http://127.0.0.1:8765/callback";

describe("doctor --live", () => {
  let live: RunningSandbox;
  let app: AppCredentials;
  let folder: string;
  let bot: string;
  let at: string;
  beforeAll(async () => {
    live = await startSandbox({ settings: { limits: { enabled: false } } });
    folder = await mkdtemp(join(tmpdir(), "answerback-doctor-"));
    bot = join(folder, "bot");
    const places = ["--base-url", live.url, "--webhook-url", "https://bot.example/webhook"];
    await begin({ cwd: folder }, ["init", "bot", "--live", "--template", "conversation", ...places])
      .ended;
  });
  afterAll(async () => {
    await live.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    const own = await ownAddress();
    at = `${own.host}:${own.port}`;
    app = await live.control.app({ name: "bot", callback_urls: [CALLBACK] });
    await live.control.host("bot.example", `http://${at}`);
    await rm(join(bot, "data.live"), { recursive: true, force: true });
    await keys({});
  });

  async function keys(other: Readonly<Record<string, string>>): Promise<void> {
    const all = {
      CONSUMER_KEY: app.consumer_key,
      CONSUMER_SECRET: app.consumer_secret,
      BEARER_TOKEN: app.bearer_token,
      ...other,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(bot, ".env"), lines.join(""), { mode: 0o600 });
  }

  const run = (...args: readonly string[]): Promise<Ran> =>
    begin({ cwd: bot, env: { ANSWERBACK_WEBHOOK_LISTEN: at } }, args).ended;

  /**
   * Runs `doctor --live`. The webhook's public name does not resolve on this machine, so `doctor` can't test the route
   * itself.
   */
  async function doctor(...more: readonly string[]): Promise<readonly Step[]> {
    const args = ["doctor", "--live", "--json", "--connect-to", "127.0.0.1:1", ...more];
    const { out } = await run(...args);
    const lines = out.split("\n").filter((line) => line !== "");
    return lines.map((line): Step => JSON.parse(line));
  }

  const step = (steps: readonly Step[], name: string): Step | undefined =>
    steps.find((one) => one.name === name);

  it("registers the webhook without a bot, and names the checks that need another machine", async () => {
    const steps = await doctor();

    expect(step(steps, "webhook")).toMatchObject({ state: "ok" });
    expect(step(steps, "address")).toMatchObject({
      state: "warn",
      message: expect.stringContaining("the platform gets through to here"),
    });
    expect(step(steps, "account")).toMatchObject({ state: "fail", fix: "answerback login --live" });
    expect(step(steps, "bot")).toMatchObject({ state: "warn", fix: "answerback run --live" });
    expect((await run("webhooks", "list", "--live")).out).toContain("https://bot.example/webhook");
  });

  it("reads the permission level from the tokens, and reports that the bot will subscribe", async () => {
    const { control } = live;
    await control.call("PATCH", `/apps/${app.app_id}`, { permission_level: "read-write" });
    const user = await control.user(`level_${app.app_id.slice(-6)}`);
    const tokens = await control.tokens(user, app.app_id);
    const env = {
      ANSWERBACK_ACCESS_TOKEN: tokens.access_token,
      ANSWERBACK_ACCESS_TOKEN_SECRET: tokens.access_token_secret,
    };
    await begin({ cwd: bot, env }, ["accounts", "add", "--live"]).ended;
    const steps = await doctor();

    expect(step(steps, "permission")).toMatchObject({
      state: "fail",
      message: expect.stringContaining("may only read-write; the rules and the source need"),
      fix: expect.stringContaining("Read, write and direct messages"),
    });
    expect(step(steps, "subscription")).toMatchObject({
      state: "warn",
      fix: "answerback run --live",
    });
  });

  it("reports how far this machine's clock is from the platform's", async () => {
    expect(step(await doctor(), "clock")).toMatchObject({ state: "ok" });
    await live.control.advance(120_000);
    const clockStep = step(await doctor(), "clock");

    expect(clockStep).toMatchObject({
      state: "warn",
      message: expect.stringMatching(/^this machine's clock is 1(19|20) s behind the platform's/),
      fix: expect.stringContaining("NTP"),
    });
  });

  it.each([
    {
      settings: { BEARER_TOKEN: "AAAAno" },
      name: "app",
      last: "app",
      said: /refuses the app's bearer token.*401/,
      why: "a bearer token that is none",
    },
    {
      settings: { CONSUMER_SECRET: "no" },
      name: "keys",
      last: "keys",
      said: /refuses the app's API key or secret/,
      why: "another app's secret",
    },
    {
      settings: { CONSUMER_SECRET: "" },
      name: "settings",
      last: "settings",
      said: /^1 problem\(s\)$/,
      why: "a key that was not filled in",
    },
  ])("goes no further than $last with $why", async ({ settings, name, last, said }) => {
    await keys(settings);
    const steps = await doctor();

    expect(step(steps, name)).toMatchObject({
      state: "fail",
      message: expect.stringMatching(said),
    });
    expect(step(steps, name)?.fix).toMatch(/\.env/);
    expect(steps.filter(({ name: one }) => one !== "bot").at(-1)?.name).toBe(last);
    expect(JSON.stringify(steps)).not.toContain(app.consumer_secret);
  });

  it.each([
    { listed: `${CALLBACK}/`, message: "with a slash at its end" },
    { listed: CALLBACK.replace("http:", "https:"), message: "with https" },
    { listed: "http://127.0.0.1:8765/", message: "without the path" },
    { listed: "https://elsewhere.example/", message: `${CALLBACK} is not approved` },
  ])("names the byte that a callback differs in: $message", async ({ listed, message }) => {
    const { control } = live;
    await control.call("PATCH", `/apps/${app.app_id}`, { callback_urls: [listed] });
    const callback = step(await doctor(), "callback");

    expect(callback).toMatchObject({ state: "fail", message: expect.stringContaining(message) });
    expect(callback?.fix).toContain(`exactly: ${CALLBACK}`);
    expect(callback?.details?.[0]).toContain(`oauth_callback=${CALLBACK}`);
  });

  it("reports keys that other users can read, and another program at the bot's address", async () => {
    const otherServer = createServer();
    await listen(otherServer, Number(at.split(":")[1]));
    await chmod(join(bot, ".env"), 0o644);
    await writeFile(join(bot, "config/.env"), "ORDERS_TOKEN=o\n", { mode: 0o600 });
    const steps = await doctor();
    otherServer.close();

    expect(steps.filter(({ name }) => name === ".env")).toMatchObject([
      { state: "ok" },
      { state: "warn", fix: `chmod 600 ${join(bot, ".env")}` },
    ]);
    expect(step(steps, "address")).toMatchObject({
      state: "fail",
      message: expect.stringContaining("is busy"),
    });
  });

  it("needs no address if events are polled", async () => {
    const file = join(bot, "config/live.yaml");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace("target: live\n", "target: live\nsource: polling\n"));
    const steps = await doctor();
    await writeFile(file, text);

    expect(step(steps, "address")).toMatchObject({ state: "ok" });
    expect(step(steps, "webhook")).toBeUndefined();
  });

  it("names the variable that makes the settings those of the sandbox, and the file that has it", async () => {
    await keys({ ANSWERBACK_TARGET: "sandbox" });
    const inFile = step(await doctor(), "settings");
    await keys({});
    const args = ["doctor", "--live", "--json"];
    const { out } = await begin({ cwd: bot, env: { ANSWERBACK_TARGET: "sandbox" } }, args).ended;

    expect(inFile).toMatchObject({
      state: "fail",
      fix: `remove ANSWERBACK_TARGET from ${join(bot, ".env")}`,
    });
    expect(out).toContain('"fix":"unset ANSWERBACK_TARGET"');
  });
});
