import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownAddress } from "../support/own-address.ts";
import type { Listen } from "../../src/config/settings.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { Runtime } from "../../src/host/open.ts";
import { openRuntime } from "../../src/host/open-runtime.ts";
import { readSandboxFile, writeSandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/index.ts";
import { gate, type Gate } from "../support/gate.ts";
import { when } from "../support/when.ts";

const RULES = `version: 1
rules:
  - id: echo
    triggers: [dm.received]
    actions: [{reply_dm: "re \${{ message.text }}"}]
`;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let folder: string;
let port: number;
let sandbox: RunningSandbox;
let way: Gate;
let at: Listen;
let runtime: Runtime | undefined;
let bot: string;
let ana: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "unsteady-"));
  ({ port } = await ownAddress());
  sandbox = await startPlatform();
  way = await gate(sandbox.url);
  at = await ownAddress();
  const first = await opening({ sandbox });
  bot = (await first.status()).accounts[0]?.id ?? "";
  ana = await sandbox.control.user("ana");
  await first.stop();
  const file = await readSandboxFile(folder);
  if (file === undefined) throw new Error("no sandbox file");
  const controlUrl = file.controlUrl.replace(sandbox.url, way.url);
  await writeSandboxFile(folder, { ...file, baseUrl: way.url, controlUrl });
});
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") {
    const clock = await sandbox.control.get("/clock");
    const stood = { bot: await runtime?.status(), outbox: await runtime?.outbox({}), clock };
    process.stderr.write(`${JSON.stringify(stood)}\n`);
  }
  await runtime?.stop();
  runtime = undefined;
  await way.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

const startPlatform = (): Promise<RunningSandbox> =>
  startSandbox({
    port,
    state: join(folder, "world.json"),
    settings: { limits: { enabled: false } },
  });

async function opening(over: { readonly sandbox?: RunningSandbox } = {}): Promise<Runtime> {
  runtime = await openRuntime({
    data: folder,
    settings: { webhook: { listen: `${at.host}:${at.port}` } },
    rules: [{ text: RULES }],
    environment: {},
    log: openLog({ level: "silent" }),
    ...over,
  });
  return runtime;
}

const readyz = async (): Promise<number> =>
  (await fetch(`http://${at.host}:${at.port}/readyz`)).status;

const isReady = (of: Runtime) =>
  when(async () => ((await of.status()).missing.length === 0 ? true : undefined));

const say = (text: string) => sandbox.control.act(ana, { type: "dm", to: bot, text });

/**
 * Returns the sent texts, oldest first, once there are `count` of them and no work is in progress.
 *
 * The clock moves a minute in each quarter of a real second, for an hour at most. So a slow bot has time for its
 * retries, and no message grows too old to be answered.
 */
const sent = async (of: Runtime, count: number) => {
  let minutesLeft = 60;
  let nextAt = performance.now();
  return when(async () => {
    if (minutesLeft > 0 && performance.now() >= nextAt) {
      await sandbox.control.advance(MINUTE);
      minutesLeft -= 1;
      nextAt = performance.now() + 250;
    }
    const { items, inbox } = (await of.status()).store;
    if (items.sent < count || inbox + items.pending + items.sending + items.unknown > 0) return;
    return (await of.outbox({ status: "sent" })).map(({ action }) => textOf(action)).toReversed();
  });
};

function textOf(action: object): string {
  return "text" in action ? String(action.text) : "";
}

describe("an unreliable platform", () => {
  it("may be down for an hour at the start: messages sent meanwhile are answered once", async () => {
    way.shut();
    const late = await opening();
    expect(await readyz()).toBe(503);
    await say("early");
    await sandbox.control.advance(HOUR / 2);
    await say("late");
    await sandbox.control.advance(HOUR / 2);
    way.open();
    await isReady(late);
    expect(await sent(late, 2)).toEqual(["re early", "re late"]);
    await say("now");

    expect(await sent(late, 3)).toEqual(["re early", "re late", "re now"]);
    expect(await readyz()).toBe(200);
    const { now } = await sandbox.control.get<{ now: string }>("/clock");
    expect(Math.abs(Date.parse((await late.status()).now) - Date.parse(now))).toBeLessThan(MINUTE);
  });

  it("may be restarted under a running bot, which continues with it and follows its clock", async () => {
    const steady = await opening();
    await isReady(steady);
    await say("before");
    await sent(steady, 1);
    await sandbox.close();
    sandbox = await startPlatform();
    await say("after");

    expect(await sent(steady, 2)).toEqual(["re before", "re after"]);
    await isReady(steady);
    await sandbox.control.advance(HOUR);
    const { now } = await sandbox.control.get<{ now: string }>("/clock");
    await when(async () => {
      const { now: own } = await steady.status();
      return Math.abs(Date.parse(own) - Date.parse(now)) < MINUTE ? true : undefined;
    });
  });

  it("may set its clock back and forth: nobody waits longer, or is answered twice", async () => {
    const steady = await opening();
    await isReady(steady);
    const set = async (by: number): Promise<void> => {
      const { now } = await sandbox.control.get<{ now: string }>("/clock");
      await sandbox.control.post("/clock", { set: new Date(Date.parse(now) + by).toISOString() });
    };
    const said: string[] = [];
    for (const by of [-2 * HOUR, 3 * HOUR, -HOUR, -HOUR, 5 * HOUR]) {
      said.push(`at ${said.length}`);
      await say(`at ${said.length - 1}`);
      await set(by);
    }

    expect(await sent(steady, said.length)).toEqual(said.map((text) => `re ${text}`));
    await isReady(steady);
  });

  it("may lose the subscription: that is reported and repaired, and missed messages are answered", async () => {
    const steady = await opening();
    await isReady(steady);
    await say("before");
    await sent(steady, 1);
    const events: string[] = [];
    steady.events.subscribe(({ type }) => events.push(type));
    const { webhook } = await steady.status();
    const file = await readSandboxFile(folder);
    const path = `/2/account_activity/webhooks/${webhook.id}/subscriptions/${bot}/all`;
    const ended = await fetch(`${sandbox.url}${path}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${file?.app.bearerToken}` },
    });
    expect(ended.status).toBe(200);
    await say("unheard");

    expect(await sent(steady, 2)).toEqual(["re before", "re unheard"]);
    expect(events).toEqual(expect.arrayContaining(["link-lost", "link-restored"]));
    await isReady(steady);
  });
});
