import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { sharedStore, type SharedStore } from "../../support/shared-store.ts";
import { when } from "../../support/when.ts";
import { botProcesses, type BotProcesses, leadersBy } from "./processes.ts";

const WAIT = { interval: 20 };

let folder: string;
let store: SharedStore;
let here: BotProcesses;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shared-"));
  store = await sharedStore(await openStore(`file:${folder}`));
  here = await botProcesses({ openStore: store.open });
});
afterEach(async () => {
  await here.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const sent = (runtime: Runtime) => runtime.outbox({ status: "sent" });
const isLinked = async (runtime: Runtime) => (await runtime.status()).webhook.valid;

describe("processes that share a store", () => {
  it("receive in one process and answer in another", async () => {
    const worker = await here.start("worker", { role: "worker" });
    const receiver = await here.start("receiver", { role: "receiver" });
    await expect.poll(() => isLinked(receiver), WAIT).toBe(true);
    await here.say("ana", "one");
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(1);

    expect(await leadersBy(receiver)).toEqual(["worker"]);
    expect(await receiver.status()).toMatchObject({
      missing: [],
      webhook: { valid: true, deliveries: expect.any(Number) },
      accounts: [{ id: here.bot, subscribed: true }],
      work: { partitions: 0 },
    });
  });

  it("have one leader at a time, and a new one when it stops", async () => {
    const first = await here.start("first", { role: "all" });
    const second = await here.start("second", { role: "all" });
    await expect.poll(() => leadersBy(second), WAIT).toEqual(["first"]);
    await first.stop();
    await expect.poll(() => leadersBy(second), WAIT).toEqual(["second"]);
    await expect.poll(() => isLinked(second), WAIT).toBe(true);
    await here.say("ana", "two");

    await expect.poll(async () => (await sent(second)).length, WAIT).toBe(1);
  });

  it("stop leading if they lose the leader's lease during their start", async () => {
    let isLost = false;
    let lines = "";
    const openStore = async (): Promise<Store> => {
      const own = await store.open();
      const changed: Pick<Store, "lease" | "getMeta"> = {
        async lease(...args) {
          const leases = await own.lease(...args);
          return isLost ? leases.filter(({ partition }) => partition > 0) : leases;
        },
        async getMeta(name) {
          // The leader reads these ages in its start. The lease is lost meanwhile, and the loss is noticed.
          if (name === "webhook-link/ages") {
            isLost = true;
            await when(async () => (lines.includes("lost partitions") ? true : undefined));
          }
          return own.getMeta(name);
        },
      };
      return new Proxy(own, {
        get: (_, name: keyof Store) =>
          name === "lease" || name === "getMeta" ? changed[name] : own[name],
      });
    };
    const log = openLog({ level: "warn", destination: { write: (line) => void (lines += line) } });
    const process = await here.start("one", { role: "all", leaseMs: 300, openStore, log });

    expect(lines).toContain("another process is the leader now");
    expect(await leadersBy(process)).toEqual([]);
  });

  it("execute an operator's request in any of them", async () => {
    const worker = await here.start("worker", { role: "worker", replies: "2 in 10m" });
    const receiver = await here.start("receiver", { role: "receiver" });
    await expect.poll(() => isLinked(receiver), WAIT).toBe(true);
    await receiver.pause();
    for (const text of ["one", "two", "three"]) await here.say("ana", text);
    await expect.poll(async () => (await receiver.journal()).length, WAIT).toBe(3);
    expect(await worker.outbox()).toEqual([]);

    await receiver.resume();
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(2);
    await expect.poll(async () => (await receiver.status()).held.length, WAIT).toBe(1);
    expect(await receiver.resume({ person: "ana" })).toMatchObject({ done: true, items: 1 });
    await expect.poll(async () => (await sent(worker)).length, WAIT).toBe(3);
  });

  it("use the leader's rules, also after a change", async () => {
    const leader = await here.start("leader", { role: "worker", text: "Mine" });
    const other = await here.start("other", { role: "worker", text: "Other" });
    const of = async (runtime: Runtime) => (await runtime.status()).rules.revision;
    await expect.poll(() => of(other), WAIT).toBe(await of(leader));
    const revision = await of(leader);
    await leader.stop();

    await expect.poll(() => of(other), WAIT).not.toBe(revision);
    expect((await other.status()).processes).toContainEqual(
      expect.objectContaining({ leads: true, rules: await of(other) }),
    );
  });
});

it("refuses a role if the store belongs to one process, and names the setting", async () => {
  await expect(
    openRuntime({
      data: join(folder, "alone"),
      sandbox: here.sandbox,
      settings: { role: "worker" },
      environment: {},
    }),
  ).rejects.toThrow(/^role: worker needs a store that several processes share/u);
});
