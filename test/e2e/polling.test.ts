import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { openAccounts } from "../../src/runtime/accounts/registry.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import type { AppCredentials } from "../../src/sandbox/control/objects.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { gate, type Gate } from "../support/gate.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "You said: \${{ message.text }}" }
  - id: mention
    triggers: [post.mentioned]
    actions:
      - reply_post: { text: "Thank you!" }
`;

let folder: string;
let sandbox: RunningSandbox;
let way: Gate;
let app: AppCredentials;
let bot: string;
let ana: string;
const running: Runtime[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "polling-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  way = await gate(sandbox.url);
  // This app's plan has no webhooks.
  const project = { name: "small", plan: "free" };
  const { project_id } = await sandbox.control.post<{ project_id: string }>("/projects", project);
  app = await sandbox.control.app({ project_id });
  bot = await sandbox.control.user("hello_bot");
  ana = await sandbox.control.user("ana");
  await (await openAccounts(folder)).put({ ...(await linking()), linkedAt: 0 });
});
afterEach(async () => {
  for (const runtime of running.splice(0)) await runtime.stop();
  await way.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/** Returns the account with its tokens, to link it. */
async function linking() {
  const tokens = await sandbox.control.tokens(bot, app.app_id);
  return {
    id: bot,
    username: "hello_bot",
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  };
}

async function opening(): Promise<Runtime> {
  const runtime = await openRuntime({
    data: folder,
    settings: {
      target: "live",
      source: "polling",
      platform: { baseUrl: way.url },
      app: {
        consumerKey: app.consumer_key,
        consumerSecret: app.consumer_secret,
        bearerToken: app.bearer_token,
      },
      webhook: { listen: "127.0.0.1:0" },
    },
    rules: [{ text: RULES }],
    environment: {},
    log: openLog({ level: "silent" }),
  });
  running.push(runtime);
  return runtime;
}

const say = (text: string) => sandbox.control.act(ana, { type: "dm", to: bot, text });

/** Returns the bot's messages to Ana on the platform, oldest first. */
async function written(): Promise<string[]> {
  const tokens = await sandbox.control.tokens(bot, app.app_id);
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  const page = await client.dms.eventsWith(ana, { dmEventFields: ["sender_id"] });
  await client.close();
  const own = page.data.filter(({ sender_id }) => sender_id === bot);
  return own.map(({ text }) => text ?? "").toReversed();
}

const sent = (runtime: Runtime, count: number) =>
  when(async () => ((await runtime.outbox({ status: "sent" })).length >= count ? true : undefined));

describe("a bot that polls, on a plan without webhooks", () => {
  it("answers messages and mentions once, and recognizes its own messages", async () => {
    await say("before it began");
    const runtime = await opening();
    await say("one");
    await sandbox.control.act(ana, { type: "post", text: "@hello_bot hello" });
    await sent(runtime, 2);
    await say("two");
    await sent(runtime, 3);
    // Waits until polling has also read the bot's own last answer.
    const journal = await when(async () => {
      const entries = await runtime.journal();
      return entries.filter(({ kind }) => kind === "message").length >= 4 ? entries : undefined;
    });

    expect(await written()).toEqual(["You said: one", "You said: two"]);
    expect(new Set(journal.map(({ source }) => source))).toEqual(new Set(["polling"]));
    expect(await runtime.status()).toMatchObject({
      source: "polling",
      missing: [],
      accounts: [{ id: bot, subscribed: true }],
    });
    expect(await runtime.outbox()).toHaveLength(3);
  });

  it("answers nothing that was written while the account was not linked", async () => {
    const first = await opening();
    await say("one");
    await sent(first, 1);
    expect(await first.unlinkAccount(bot)).toEqual({ removed: true });
    await say("while not linked");
    await first.linkAccount(await linking());
    await say("two");
    await sent(first, 2);
    await first.stop();

    // The same by the commands for a bot that does not run.
    const accounts = await openAccounts(folder);
    await accounts.remove(bot);
    await say("while not linked and stopped");
    await accounts.put({ ...(await linking()), linkedAt: Date.now() });
    const second = await opening();
    await say("three");
    await sent(second, 3);

    expect(await written()).toEqual(["You said: one", "You said: two", "You said: three"]);
  });

  it("catches up after downtime, in order, and answers nothing twice", async () => {
    const first = await opening();
    await say("one");
    await sent(first, 1);
    await first.stop();
    for (const text of ["two", "three", "four"]) await say(text);
    const second = await opening();
    await sent(second, 4);

    expect(await written()).toEqual(["one", "two", "three", "four"].map((t) => `You said: ${t}`));
  });

  it("starts during an outage of the platform, and reads missed events afterwards", async () => {
    await (await opening()).stop();
    way.shut();
    const runtime = await opening();
    await say("one");

    expect((await runtime.status()).missing).toMatchObject([{ part: "polling" }]);
    way.open();
    await sent(runtime, 1);
    expect(await written()).toEqual(["You said: one"]);
  });

  it("reports accounts whose messages can't be read, and what to do", async () => {
    const runtime = await opening();
    const lost = new Promise((resolve) => runtime.events.on("link-lost", resolve));
    await sandbox.control.call("DELETE", `/users/${bot}/apps/${app.app_id}`);
    await lost;

    expect((await runtime.status()).accounts).toMatchObject([
      {
        reason: expect.stringMatching(/^its (messages|mentions) can't be read: .*answerback login/),
      },
    ]);
  });
});
