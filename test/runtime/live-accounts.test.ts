import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openRuntime } from "../../src/runtime/open-runtime.ts";
import type { Runtime } from "../../src/runtime/open-from-settings.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { RuntimeEventOf, RuntimeEventType } from "../../src/runtime/runtime-events.ts";
import { readSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";

const RULES = `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello!" }
`;

let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;
let appId: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "live-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  runtime = await openRuntime({
    sandbox,
    data: folder,
    rules: [{ text: RULES }],
    environment: {},
    log: openLog({ level: "silent" }),
  });
  appId = (await readSandboxFile(folder))?.app.id ?? "";
});
afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const next = <T extends RuntimeEventType>(type: T) =>
  new Promise<RuntimeEventOf<T>>((resolve) => runtime.events.on(type, resolve));

/** Links a new account while the runtime runs. */
async function linked(username: string) {
  const id = await sandbox.control.user(username);
  const tokens = await sandbox.control.tokens(id, appId);
  const answer = await runtime.linkAccount({
    id,
    username,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  return { id, answer };
}

/** Whose events come, as the platform has it. */
async function subscribedUsers(): Promise<string[]> {
  const { app } = (await readSandboxFile(folder)) ?? { app: { bearerToken: "" } };
  const { bearerToken } = app;
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: { type: "bearer", bearerToken },
  });
  const { webhook } = await runtime.status();
  const { subscriptions } = await client.activity.list(webhook.id ?? "");
  await client.close();
  return subscriptions.map(({ user_id }) => user_id);
}

/** Has somebody write to an account; gives the item of the answer. */
async function answered(id: string, by: string) {
  const settled = next("item-settled");
  await sandbox.control.act(by, { type: "dm", to: id, text: "hi" });
  return (await settled).data;
}

describe("an account that is linked while the runtime runs", () => {
  it("is subscribed and answered for at once", async () => {
    const ana = await sandbox.control.user("ana");
    const { id, answer } = await linked("second_bot");

    expect(answer).toEqual({ subscribed: true });
    expect((await runtime.status()).accounts).toContainEqual({
      id,
      username: "second_bot",
      subscribed: true,
    });
    expect(await answered(id, ana)).toMatchObject({ account: id, status: "sent" });
  });

  it("is unsubscribed when it is removed", async () => {
    const { id } = await linked("second_bot");
    expect(await subscribedUsers()).toContain(id);
    const unsubscribed = next("link-unsubscribed");

    expect(await runtime.unlinkAccount(id)).toEqual({ removed: true });
    expect((await unsubscribed).data.id).toBe(id);
    expect((await runtime.status()).accounts.map(({ username }) => username)).toEqual([
      "hello_bot",
    ]);
    expect(await subscribedUsers()).not.toContain(id);
  });

  it("is refused with the platform's reason when its tokens are wrong", async () => {
    const id = await sandbox.control.user("third_bot");
    const wrong = { accessToken: `${id}-wrong`, accessTokenSecret: "wrong" };

    expect(await runtime.linkAccount({ id, username: "third_bot", ...wrong })).toMatchObject({
      subscribed: false,
      reason: expect.any(String),
    });
  });
});

describe("an account whose owner took the authorization away", () => {
  it("is shown as revoked, and is served again once it is linked anew", async () => {
    const { id } = await linked("second_bot");
    const revoked = next("account-revoked");
    await sandbox.control.call("DELETE", `/users/${id}/apps/${appId}`);

    expect((await revoked).data).toMatchObject({ id, username: "second_bot" });
    const { accounts } = await runtime.status();
    expect(accounts.find((account) => account.id === id)).toMatchObject({
      subscribed: false,
      reason: "its owner took the app's authorization away",
    });
    const tokens = await sandbox.control.tokens(id, appId);
    const again = await runtime.linkAccount({
      id,
      username: "second_bot",
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    });
    expect(again).toEqual({ subscribed: true });
  });
});
