import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callRuntime } from "../../../src/runtime/control/call.ts";
import { openLog } from "../../../src/runtime/log.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { readScrape } from "../../support/prometheus-text.ts";
import { when } from "../../support/when.ts";

const RULES = `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    actions: [{ reply_dm: Hello. }]
`;

let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "dropped-"));
  sandbox = await startSandbox();
  await open();
});
afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function open(): Promise<void> {
  runtime = await openRuntime({
    settings: { metrics: { listen: "127.0.0.1:0" } },
    sandbox,
    rules: [{ text: RULES }],
    data: folder,
    environment: {},
    log: openLog({ level: "silent" }),
  });
}

const counts = async () => (await runtime.status()).store.items;

async function metric(name: string, status: string): Promise<number | undefined> {
  const { metrics } = await runtime.status();
  const text = await (await fetch(`http://${metrics?.listen}/metrics`)).text();
  return readScrape(text).series.find((one) => one.name === name && one.labels["status"] === status)
    ?.value;
}

/** Queues an answer that has to wait: the platform reports an exhausted limit. */
async function waitingAnswer(): Promise<void> {
  const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" } as const;
  const when429 = { always: true } as const;
  await sandbox.control.addFault({ match, fault: { type: "limit" }, when: when429 });
  const [bot] = (await runtime.status()).accounts;
  const ana = await sandbox.control.user("ana");
  await sandbox.control.act(ana, { type: "dm", to: bot?.id ?? "", text: "hello" });
  await when(async () => ((await counts()).pending === 1 ? true : undefined));
  await when(async () =>
    (await runtime.outbox({ status: "pending" }))[0]?.reason ? true : undefined,
  );
}

describe("an answer that the operator drops", () => {
  it("is counted as dropped, not as failed, after a restart and until it is sent again", async () => {
    await waitingAnswer();
    await callRuntime(folder, "dropItem", { id: 1 });

    expect(await counts()).toMatchObject({ failed: 0, dropped: 1 });
    expect(await metric("answerback_items", "dropped")).toBe(1);
    expect(await metric("answerback_items", "failed")).toBe(0);
    expect(await metric("answerback_items_settled_total", "dropped")).toBe(1);
    expect(await metric("answerback_items_settled_total", "failed")).toBe(0);
    expect(await metric("answerback_runs_total", "failed")).toBe(0);
    expect(await runtime.outbox({ status: "failed" })).toEqual([]);
    expect(await runtime.outbox({ status: "dropped" })).toMatchObject([
      { id: 1, status: "failed" },
    ]);

    await runtime.stop();
    await open();
    expect(await counts()).toMatchObject({ failed: 0, dropped: 1 });

    await sandbox.control.clearFaults();
    await callRuntime(folder, "retryItem", { id: 1 });
    await when(async () => ((await counts()).sent === 1 ? true : undefined));
    expect(await counts()).toMatchObject({ failed: 0, dropped: 0 });
  });
});
