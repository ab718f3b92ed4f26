import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { RuntimeEventOf, RuntimeEventType } from "../../src/runtime/runtime-events.ts";
import { readSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { signatureOf } from "../../src/runtime/webhook/signature.ts";
import { type Found, when } from "../support/when.ts";
import * as wire from "../support/wire.ts";

const RULES = `version: 1
rules:
  - id: slowly
    triggers: [dm.received]
    conditions:
      - text: slowly
    actions:
      - reply_dm: { text: "One moment." }
      - delay: 1h
      - reply_dm: { text: "Here it is." }
  - id: hi
    triggers: [dm.received]
    conditions:
      - text: hi
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
  runtime = await open();
  appId = (await readSandboxFile(folder))?.app.id ?? "";
});
afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const open = (): Promise<Runtime> =>
  openRuntime({
    sandbox,
    data: folder,
    rules: [{ text: RULES }],
    environment: {},
    log: openLog({ level: "silent" }),
  });

/** Restarts the bot. */
async function restart(): Promise<void> {
  await runtime.stop();
  runtime = await open();
}

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

/** Ids of the users with a subscription on the platform. */
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

/** Sends a message to an account, and returns the outbox item of the bot's answer. */
async function answered(id: string, by: string) {
  const settled = next("item-settled");
  await sandbox.control.act(by, { type: "dm", to: id, text: "hi" });
  return (await settled).data;
}

describe("an account that is linked while the runtime runs", () => {
  it("is subscribed at once, and its messages are answered", async () => {
    const ana = await sandbox.control.user("ana");
    const { id, answer } = await linked("second_bot");

    expect(answer).toEqual({ subscribed: true });
    expect((await runtime.status()).accounts).toContainEqual({
      id,
      username: "second_bot",
      subscribed: true,
      permissionLevel: "read-write-directmessages",
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

describe("an account whose owner revoked the authorization", () => {
  it("is shown as revoked, and is served again once it is linked again", async () => {
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

/** Text and status of the account's outbox items so far, oldest first. */
async function itemsOf(account: string) {
  const items = await runtime.outbox({ limit: 1_000 });
  return items
    .filter((item) => item.account === account)
    .map(({ action, status }) => ["text" in action ? action.text : "", status])
    .toReversed();
}

/** Gives the bot's account new tokens. */
async function linkAgain(id: string, username: string): Promise<void> {
  const tokens = await sandbox.control.tokens(id, appId);
  await runtime.linkAccount({
    id,
    username,
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
}

/** Advances the platform's clock until `probe` returns a value. */
const inTime = <T extends Found>(probe: () => Promise<T | undefined>) =>
  when(async () => {
    const result = await probe();
    if (result === undefined) await sandbox.control.advance(30_000);
    return result;
  });

describe("an account that is unlinked in the middle of a conversation", () => {
  it("sends no more answers, and its open runs stop", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    const settled = next("item-settled");
    await sandbox.control.act(ana, { type: "dm", to: id, text: "slowly" });
    await settled;
    const ended = next("run-settled");
    await runtime.unlinkAccount(id);
    await sandbox.control.advance(3_600_000);

    expect((await ended).data).toMatchObject({ owner: "rule:slowly", status: "stopped" });
    expect(await itemsOf(id)).toEqual([["One moment.", "sent"]]);
  });

  it("starts no runs for events that are still delivered to it", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    await runtime.unlinkAccount(id);
    const decided = next("event-decided");
    const { webhook } = await runtime.status();
    const { app } = (await readSandboxFile(folder)) ?? { app: { consumerSecret: "" } };
    const body = JSON.stringify(wire.message({ account: id, from: ana, to: id, text: "hi" }));
    const signature = signatureOf(body, app.consumerSecret);
    const answer = await fetch(`http://${webhook.listen}${new URL(webhook.url).pathname}`, {
      method: "POST",
      headers: { "x-platform-webhooks-signature": signature },
      body,
    });

    expect(answer.status).toBe(200);
    expect((await decided).data).toMatchObject({ outcome: "done", runs: 0, items: 0 });
    expect((await runtime.journal())[0]?.decision).toContain("the account is not linked");
  });
});

describe("an account that is revoked and linked again", () => {
  it("sends the answers that were pending meanwhile, once", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    const revoked = next("account-revoked");
    // The second answer is queued an hour later, while the account is revoked.
    const settled = next("item-settled");
    await sandbox.control.act(ana, { type: "dm", to: id, text: "slowly" });
    await settled;
    await sandbox.control.call("DELETE", `/users/${id}/apps/${appId}`);
    await revoked;
    await sandbox.control.advance(3_600_000);
    await inTime(async () => ((await itemsOf(id)).length > 1 ? true : undefined));
    await sandbox.control.advance(60_000);

    expect(await itemsOf(id)).toEqual([
      ["One moment.", "sent"],
      ["Here it is.", "pending"],
    ]);
    await linkAgain(id, "second_bot");
    await inTime(async () => {
      const [, last] = await itemsOf(id);
      return last?.[1] === "sent" ? true : undefined;
    });
    const { messages } = await conversation(id, ana);
    expect(messages.filter((text) => text === "Here it is.")).toHaveLength(1);
  });
});

describe("a message between the end of an authorization and the next one", () => {
  it("is read back and answered once", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    expect(await answered(id, ana)).toMatchObject({ status: "sent" });
    const revoked = next("account-revoked");
    await sandbox.control.call("DELETE", `/users/${id}/apps/${appId}`);
    await revoked;
    await sandbox.control.advance(10 * 60_000);
    await sandbox.control.act(ana, { type: "dm", to: id, text: "hi" });
    await sandbox.control.advance(20 * 60_000);
    await linkAgain(id, "second_bot");
    await inTime(async () => ((await itemsOf(id))[1]?.[1] === "sent" ? true : undefined));
    await sandbox.control.advance(60 * 60_000);

    expect(await itemsOf(id)).toEqual([
      ["Hello!", "sent"],
      ["Hello!", "sent"],
    ]);
    const { messages } = await conversation(id, ana);
    expect(messages).toEqual(["Hello!", "Hello!"]);
  });

  it("is read back and answered once by the next process, too", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    expect(await answered(id, ana)).toMatchObject({ status: "sent" });
    const revoked = next("account-revoked");
    await sandbox.control.call("DELETE", `/users/${id}/apps/${appId}`);
    await revoked;
    await restart();
    await sandbox.control.advance(10 * 60_000);
    await sandbox.control.act(ana, { type: "dm", to: id, text: "hi" });
    await restart();
    await sandbox.control.advance(20 * 60_000);
    await linkAgain(id, "second_bot");
    await inTime(async () => ((await itemsOf(id))[1]?.[1] === "sent" ? true : undefined));

    expect(await itemsOf(id)).toEqual([
      ["Hello!", "sent"],
      ["Hello!", "sent"],
    ]);
  });

  it("is not read if the operator had unlinked the account", async () => {
    const ana = await sandbox.control.user("ana");
    const { id } = await linked("second_bot");
    expect(await answered(id, ana)).toMatchObject({ status: "sent" });
    await runtime.unlinkAccount(id);
    await sandbox.control.advance(10 * 60_000);
    await sandbox.control.act(ana, { type: "dm", to: id, text: "hi" });
    await sandbox.control.advance(20 * 60_000);
    await linkAgain(id, "second_bot");
    expect(await answered(id, ana)).toMatchObject({ status: "sent" });

    expect(await itemsOf(id)).toHaveLength(2);
  });
});

/** Texts that the account has written to a person, read from the platform. */
async function conversation(id: string, person: string) {
  const { app, baseUrl } = (await readSandboxFile(folder)) ?? { app: undefined, baseUrl: "" };
  const tokens = await sandbox.control.tokens(id, appId);
  const client = createClient({
    baseUrl,
    credentials: {
      type: "oauth1",
      consumerKey: app?.consumerKey ?? "",
      consumerSecret: app?.consumerSecret ?? "",
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  const page = await client.dms.eventsWith(person, { dmEventFields: ["sender_id"] });
  await client.close();
  const own = page.data.filter(({ sender_id }) => sender_id === id);
  return { messages: own.map(({ text }) => text ?? "") };
}
