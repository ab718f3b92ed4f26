import { beforeEach, expect, it } from "vitest";
import {
  BY_MESSAGES,
  type InstanceEvidence,
  openOtherInstances,
  type OtherInstances,
} from "../../../src/runtime/instances/other-instances.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { runtimeEvents } from "../../../src/runtime/runtime-events.ts";

const EVIDENCE: InstanceEvidence = {
  account: "100",
  id: "webhook:7",
  reason: "it is",
  holdsBack: true,
};

let metas: Map<string, string>;
let paused: string[];
let reports: object[];
/** Calls of `startRestored`. */
let lookedUp: { account?: string; from?: number; now: number }[];
let now: number;
let resume: (account?: string) => Promise<void>;
beforeEach(() => {
  metas = new Map();
  paused = [];
  reports = [];
  lookedUp = [];
  now = 1_000;
});

async function open(): Promise<OtherInstances> {
  const events = runtimeEvents({ now: () => now, onListenerError: () => {} });
  events.on("other-instance", ({ data }) => reports.push(data));
  return openOtherInstances({
    store: {
      getMeta: async (name) => metas.get(name),
      setMeta: async (name, value) => void metas.set(name, value),
      startRestored: async (at, _holdMs, elsewhere) => lookedUp.push({ ...elsewhere, now: at }),
    },
    pausing: {
      pause: async (account) => paused.push(account) > 0,
      beforeResume: (listener) => (resume = (account) => listener(account)),
    },
    usernameOf: () => "hello_bot",
    events,
    clock: { now: () => now },
    log: openLog({ level: "silent" }),
    holdMs: 600_000,
    monotonic: () => now,
  });
}

it("evidence is reported once, and pauses the account of the later instance", async () => {
  const others = await open();
  await others.noticed(EVIDENCE);
  await others.noticed(EVIDENCE);
  expect(paused).toEqual(["100"]);
  expect(reports).toEqual([{ account: "100", reason: "it is", holdsBack: true }]);
  expect(others.list()).toEqual([{ ...EVIDENCE, since: 1_000 }]);
});

it("the earlier instance continues, and shows the other one for ten minutes after the last sign", async () => {
  const others = await open();
  await others.noticed({ ...EVIDENCE, holdsBack: false });
  expect(paused).toEqual([]);
  now += 600_000;
  expect(others.list()).toHaveLength(1);
  now += 1;
  expect(others.list()).toEqual([]);
});

it("a restart keeps the evidence that paused an account", async () => {
  await (await open()).noticed(EVIDENCE);
  expect((await open()).list()).toEqual([{ ...EVIDENCE, since: 1_000 }]);
});

it("resuming first looks up messages sent meanwhile, and ignores those that the operator has seen", async () => {
  const others = await open();
  await others.noticed(EVIDENCE);
  now = 5_000;
  await resume("200");
  expect(lookedUp).toEqual([]);

  await resume("100");
  expect(lookedUp).toEqual([{ account: "100", from: 1_000, now: 5_000 }]);
  expect(others.list()).toEqual([]);
  await others.noticed(EVIDENCE);
  expect(paused).toEqual(["100"]);
  expect(others.list()).toEqual([]);
});

it("resuming all looks up the answers of each account that another instance answered for", async () => {
  const others = await open();
  await others.noticed({ ...EVIDENCE, account: "200" });
  now = 2_000;
  await others.noticed(EVIDENCE);
  await others.noticed({ ...EVIDENCE, id: "instance:7", account: "200" });
  await others.noticed({ ...EVIDENCE, account: "300", holdsBack: false });
  now = 5_000;
  await resume();

  expect(lookedUp).toEqual([
    { account: "200", from: 1_000, now: 5_000 },
    { account: "100", from: 2_000, now: 5_000 },
  ]);
});

it("messages of another instance after the operator has resumed pause the account again", async () => {
  const others = await open();
  await others.noticed({ ...EVIDENCE, id: BY_MESSAGES });
  await resume();
  await others.noticed({ ...EVIDENCE, id: BY_MESSAGES });
  expect(paused).toEqual(["100", "100"]);
});

it("an instance that is noticed while another account is resumed stays on record", async () => {
  const others = await open();
  await others.noticed(EVIDENCE);
  const resuming = resume("100");
  const second = { ...EVIDENCE, account: "200", id: "webhook:8" };
  await others.noticed(second);
  await resuming;

  expect((await open()).list()).toEqual([{ ...second, since: 1_000 }]);
});
