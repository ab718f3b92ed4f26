import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RoleSetting } from "../../../src/config/settings.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Runtime } from "../../../src/runtime/open-from-settings.ts";
import { openRuntime, openRuntimeOver } from "../../../src/runtime/open-runtime.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { ownAddress } from "../../support/own-address.ts";
import { sharedStore, type SharedStore } from "../../support/shared-store.ts";

const rules = (text: string): string => `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    actions:
      - reply_dm: { text: ${text} }
`;
/** Opens the accounts, whose file each process has a copy of. */
const KEY = "5a".repeat(32);
const WAIT = { timeout: 20_000, interval: 20 };

let folder: string;
let sandbox: RunningSandbox;
let store: SharedStore;
let bot: string;
let ana: string;
const running: Runtime[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "roles-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  ana = await sandbox.control.user("ana");
  const seeding = await openRuntime({ ...options("seed"), sandbox });
  bot = (await seeding.status()).accounts[0]?.id ?? "";
  await seeding.stop();
  store = await sharedStore(await openStore(`file:${join(folder, "shared")}`));
});
afterEach(async () => {
  for (const runtime of running.splice(0)) await runtime.stop();
  await store.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

function options(name: string) {
  return {
    data: join(folder, name),
    environment: { ANSWERBACK_KEY: KEY },
    log: openLog({ level: process.env["ROLES_LOG"] ?? "silent" }),
  };
}

interface Starting {
  readonly role: RoleSetting;
  readonly text?: string;
}

/** Starts a process of the role, with a folder of its own and the account that is linked. */
async function starting(name: string, { role, text = "Hello!" }: Starting): Promise<Runtime> {
  const given = options(name);
  await mkdir(given.data, { recursive: true });
  for (const file of ["accounts.json", "sandbox.json"]) {
    await copyFile(join(folder, "seed", file), join(given.data, file));
  }
  const at = await ownAddress();
  const runtime = await openRuntimeOver(
    {
      ...given,
      sandbox,
      settings: {
        role,
        processName: name,
        limits: { replies: "2 in 10m" },
        webhook: { listen: `${at.host}:${at.port}` },
      },
      rules: [{ text: rules(text) }],
    },
    { openStore: store.open },
  );
  running.push(runtime);
  return runtime;
}

const said = async (text: string): Promise<void> => {
  await sandbox.control.act(ana, { type: "dm", to: bot, text });
};
const sent = async (runtime: Runtime) =>
  (await runtime.outbox({ status: "sent" })).map(({ action }) => action);
const processes = async (runtime: Runtime) => (await runtime.status()).processes;
const leaderOf = async (runtime: Runtime) =>
  (await processes(runtime)).filter(({ leads }) => leads).map(({ name }) => name.slice(0, -7));
/** SQLite's engine itself refuses other roles. */
const isLinked = async (runtime: Runtime) => (await runtime.status()).webhook.valid;

describe("processes that share a store", () => {
  it("take in here and answer there", async () => {
    const worker = await starting("worker", { role: "worker" });
    const receiver = await starting("receiver", { role: "receiver" });
    await expect.poll(() => isLinked(receiver), WAIT).toBe(true);
    await said("one");
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(1);

    expect(await leaderOf(receiver)).toEqual(["worker"]);
    expect(await receiver.status()).toMatchObject({
      missing: [],
      webhook: { valid: true, deliveries: expect.any(Number) },
      accounts: [{ id: bot, subscribed: true }],
      work: { partitions: 0 },
    });
  });

  it("have one leader at a time, and another once it stops", async () => {
    const first = await starting("first", { role: "all" });
    const second = await starting("second", { role: "all" });
    await expect.poll(() => leaderOf(second), WAIT).toEqual(["first"]);
    await first.stop();
    await expect.poll(() => leaderOf(second), WAIT).toEqual(["second"]);
    await expect.poll(() => isLinked(second), WAIT).toBe(true);
    await said("two");

    await expect.poll(async () => (await sent(second)).length, WAIT).toBe(1);
  });

  it("do what an operator asks of any of them", async () => {
    const worker = await starting("worker", { role: "worker" });
    const receiver = await starting("receiver", { role: "receiver" });
    await expect.poll(() => isLinked(receiver), WAIT).toBe(true);
    await receiver.pause();
    for (const text of ["one", "two", "three"]) await said(text);
    await expect.poll(async () => (await receiver.journal()).length, WAIT).toBe(3);
    expect(await worker.outbox()).toEqual([]);

    await receiver.resume();
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(2);
    await expect.poll(async () => (await receiver.status()).held.length, WAIT).toBe(1);
    expect(await receiver.resume({ person: "ana" })).toMatchObject({ done: true, items: 1 });
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(3);
  });

  it("decide by the leader's rules, and follow when those change", async () => {
    const leader = await starting("leader", { role: "worker", text: "Mine" });
    const other = await starting("other", { role: "worker", text: "Other" });
    const of = async (runtime: Runtime) => (await runtime.status()).rules.revision;
    await expect.poll(() => of(other), WAIT).toBe(await of(leader));
    const revision = await of(leader);
    await leader.stop();

    await expect.poll(() => of(other), WAIT).not.toBe(revision);
    expect(await processes(other)).toContainEqual(
      expect.objectContaining({ leads: true, rules: await of(other) }),
    );
  });
});

it("refuses a role in a store that is one process's own, and says what to set", async () => {
  await expect(openRuntime({ ...options("seed"), settings: { role: "worker" } })).rejects.toThrow(
    /^role: worker is for several processes that share a store/u,
  );
});
