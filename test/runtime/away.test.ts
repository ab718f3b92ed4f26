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
  - id: hi
    triggers: [dm.received]
    actions:
      - reply_dm: { text: "Hello!" }
`;

let folder: string;
let sandbox: RunningSandbox;
let way: Gate;
let at: Listen;
const running: Runtime[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "away-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  way = await gate(sandbox.url);
  at = await ownAddress();
});
afterEach(async () => {
  for (const runtime of running.splice(0)) await runtime.stop();
  await way.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function opening(over: { readonly sandbox?: RunningSandbox } = {}): Promise<Runtime> {
  const runtime = await openRuntime({
    data: folder,
    settings: { webhook: { listen: `${at.host}:${at.port}` } },
    rules: [{ text: RULES }],
    environment: {},
    log: openLog({ level: "silent" }),
    ...over,
  });
  running.push(runtime);
  return runtime;
}

/** Runs a bot once, so that everything is registered. The next bot reaches the sandbox through the proxy `way`. */
async function seeded(): Promise<string> {
  const runtime = await opening({ sandbox });
  const { accounts } = await runtime.status();
  await runtime.stop();
  const file = await readSandboxFile(folder);
  if (file === undefined) throw new Error("no sandbox file");
  const through = (url: string) => url.replace(sandbox.url, way.url);
  const controlUrl = through(file.controlUrl);
  await writeSandboxFile(folder, { ...file, baseUrl: way.url, controlUrl });
  return accounts[0]?.id ?? "";
}

const isReady = (runtime: Runtime) =>
  when(async () => ((await runtime.status()).missing.length === 0 ? true : undefined));

describe("a bot whose platform can't be reached", () => {
  it("starts, says what is missing, and works once the platform is back", async () => {
    const bot = await seeded();
    way.shut();
    const runtime = await opening();
    const { missing } = await runtime.status();
    const readyz = await fetch(`http://${at.host}:${at.port}/readyz`);

    expect(missing).toEqual([
      {
        part: "platform",
        reason: expect.stringMatching(/^no sandbox answers at .*; start it: answerback sandbox/),
      },
      { part: "webhook", reason: "the webhook is not registered yet" },
    ]);
    expect(readyz.status).toBe(503);
    way.open();
    await isReady(runtime);
    const ana = await sandbox.control.user("ana");
    await sandbox.control.act(ana, { type: "dm", to: bot, text: "hi" });
    await when(async () =>
      (await runtime.outbox({ status: "sent" })).length > 0 ? true : undefined,
    );
  });

  it("sends earlier answers once when the platform is back", async () => {
    const bot = await seeded();
    const ana = await sandbox.control.user("ana");
    const before = await opening();
    await isReady(before);
    // Deliveries still arrive, but no request to the platform gets out.
    way.shut();
    await sandbox.control.act(ana, { type: "dm", to: bot, text: "hi" });
    await when(async () => ((await before.outbox()).length > 0 ? true : undefined));
    await before.stop();
    const runtime = await opening();
    way.open();
    await isReady(runtime);
    await when(async () => {
      await sandbox.control.advance(60_000);
      return (await runtime.outbox({ status: "sent" })).length > 0 ? true : undefined;
    });

    expect(await runtime.outbox()).toMatchObject([{ status: "sent" }]);
  });

  it("keeps the sandbox's time while the sandbox is away", async () => {
    await seeded();
    await sandbox.control.advance(86_400_000);
    const before = await opening();
    await isReady(before);
    const then = Date.parse((await before.status()).now);
    await before.stop();
    way.shut();
    const { now } = await (await opening()).status();

    expect(Date.parse(now)).toBeGreaterThanOrEqual(then);
    expect(Date.parse(now)).toBeLessThan(then + 3_600_000);
  });

  it("exchanges nothing with another world that runs there later", async () => {
    await seeded();
    way.shut();
    const runtime = await opening();
    await sandbox.control.post("/reset");
    way.open();
    const reason = await when(async () => {
      const { missing } = await runtime.status();
      return missing.find((one) => one.reason.includes("belongs to"))?.reason;
    });

    expect(reason).toMatch(/^this store belongs to sandbox world .*; start with new data/);
    expect((await runtime.status()).webhook.id).toBeUndefined();
  });
});
