import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  followMachineInstances,
  type MachineInstances,
  type MachineInstancesNeeds,
} from "../../../src/runtime/instances/machine-instances.ts";
import type { InstanceEvidence } from "../../../src/runtime/instances/other-instances.ts";
import { openLog } from "../../../src/runtime/log.ts";

let stateFolder: string;
let collected: InstanceEvidence[];
const started: MachineInstances[] = [];
beforeEach(async () => {
  stateFolder = await mkdtemp(join(tmpdir(), "state-"));
  collected = [];
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  await rm(stateFolder, { recursive: true });
});

async function follow(over: Partial<MachineInstancesNeeds> = {}): Promise<MachineInstances> {
  const following = await followMachineInstances({
    stateFolder,
    folder: "/own",
    storeId: "own",
    isShared: false,
    app: "app",
    accounts: () => ["100"],
    isHeldBack: () => false,
    onOther: async (evidence) => void collected.push(evidence),
    log: openLog({ level: "silent" }),
    ...over,
  });
  started.push(following);
  return following;
}

/** Changes the only record of an instance on this machine. Returns the record's file. */
async function changeRecord(over: object): Promise<string> {
  const [app = ""] = await readdir(join(stateFolder, "instances"));
  const [name = ""] = await readdir(join(stateFolder, "instances", app));
  const file = join(stateFolder, "instances", app, name);
  const record: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...record, ...over }));
  return file;
}

const EARLIER = { folder: "/other", store: "other", startedAt: 1 };

it("an instance that started later pauses", async () => {
  await follow();
  await changeRecord(EARLIER);
  await follow();
  expect(collected).toMatchObject([
    { account: "100", holdsBack: true, reason: expect.stringContaining("/other") },
  ]);
});

it("one of two instances that started in the same millisecond pauses", async () => {
  const startedAt = Date.now();
  const evidence = async (instance: string): Promise<InstanceEvidence | undefined> => {
    collected = [];
    await follow({ now: () => startedAt });
    await changeRecord({ ...EARLIER, instance, startedAt });
    await follow({ now: () => startedAt });
    for (const one of started.splice(0)) await one.stop();
    await rm(join(stateFolder, "instances"), { recursive: true });
    return collected.find(({ id }) => id === `instance:${instance}`);
  };
  expect([await evidence("0"), await evidence("z")]).toMatchObject([
    { holdsBack: true },
    { holdsBack: false },
  ]);
});

it.each([
  { why: "the other one started later", over: { startedAt: Date.now() + 60_000 } },
  { why: "the other one holds back itself", over: { heldBack: ["100"] } },
])("an instance continues if $why", async ({ over }) => {
  await follow();
  await changeRecord({ ...EARLIER, ...over });
  await follow();
  expect(collected).toMatchObject([{ holdsBack: false }]);
});

it.each([
  { why: "its process has ended", over: { ...EARLIER, pid: 2 ** 22 + 1 } },
  { why: "it is of this data folder", over: { startedAt: 1 } },
  { why: "it can't be read", over: { ...EARLIER, pid: "x" } },
])("a record does not indicate another instance if $why", async ({ over }) => {
  await follow();
  await changeRecord(over);
  await follow();
  expect(collected).toEqual([]);
});

it("a record on another host is valid for a minute", async () => {
  await follow();
  const over = { ...EARLIER, host: `${hostname()}-2`, pid: 2 ** 22 + 1 };
  const file = await changeRecord(over);
  const stopped = new Date(Date.now() - 61_000);
  await utimes(file, stopped, stopped);
  await follow();
  expect(collected).toEqual([]);

  await started.pop()?.stop();
  await follow({ folder: "/another" });
  await changeRecord(over);
  await follow();
  expect(collected).toMatchObject([{ holdsBack: true }]);
});

it("processes on one shared store, and bots of other apps, are not other instances", async () => {
  await follow({ isShared: true });
  await changeRecord({ ...EARLIER, store: "own" });
  await follow({ isShared: true });
  await follow({ app: "another" });
  expect(collected).toEqual([]);
});

it("an instance whose store refuses the evidence is noticed by others", async () => {
  await follow();
  await changeRecord(EARLIER);
  await follow({ folder: "/second", onOther: () => Promise.reject(new Error("the disk is full")) });
  await follow({ folder: "/third" });

  expect(collected.map(({ reason }) => reason)).toContainEqual(expect.stringContaining("/second"));
});

it("stopping removes the record", async () => {
  const following = await follow();
  await following.stop();
  const [app = ""] = await readdir(join(stateFolder, "instances"));
  expect(await readdir(join(stateFolder, "instances", app))).toEqual([]);
});
