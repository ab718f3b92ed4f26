import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import type { RuntimeSettings } from "../../../src/host/runtime-settings.ts";
import type { MeasuredState } from "../../../src/runtime/telemetry/measured-state.ts";
import { METRICS, type MetricSpec } from "../../../src/runtime/telemetry/metric-table.ts";
import { openMetrics } from "../../../src/runtime/telemetry/metrics.ts";
import { serveMetrics } from "../../../src/runtime/telemetry/metrics-server.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { readScrape, type Scrape } from "../../support/prometheus-text.ts";
import { when } from "../../support/when.ts";

const RULES = `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hi}}]
    actions: [{reply_dm: "Hello!"}]
  - id: never
    group: none
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: nothing}}]
    actions: [{reply_dm: "Never"}]
`;

const log = openLog({ level: "silent" });
let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "metrics-"));
  sandbox = await startSandbox();
});
afterEach(async () => {
  await runtime?.stop();
  runtime = undefined;
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function opened(settings: RuntimeSettings): Promise<Runtime> {
  const rules = [{ text: RULES }];
  runtime = await openRuntime({ settings, sandbox, rules, data: folder, environment: {}, log });
  return runtime;
}

async function scraped(of: Runtime): Promise<Scrape> {
  const { metrics } = await of.status();
  const answer = await fetch(`http://${metrics?.listen}/metrics`);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  return readScrape(await answer.text());
}

/** Starts a bot that has answered one message and left one unanswered. */
async function answered(): Promise<Runtime> {
  const bot = await opened({ metrics: { listen: "127.0.0.1:0" } });
  const { accounts } = await bot.status();
  const ana = await sandbox.control.user("ana");
  for (const text of ["hi", "well"]) {
    await sandbox.control.act(ana, { type: "dm", to: accounts[0]?.id ?? "", text });
  }
  await when(async () => {
    const { store } = await bot.status();
    return store.items.sent === 1 && store.inbox === 0 ? true : undefined;
  });
  return bot;
}

describe("the metrics of a bot", () => {
  it("count events, decisions and answers", async () => {
    const { value: of } = await scraped(await answered());

    expect(of("answerback_ready")).toBe(1);
    // The platform also delivers the bot's own answer, as an event.
    expect(of("answerback_deliveries_total", { status: "200" })).toBe(3);
    expect(of("answerback_challenges_total", { status: "200" })).toBeGreaterThan(0);
    expect(of("answerback_events_total", { kind: "message", source: "webhook" })).toBe(3);
    expect(of("answerback_decisions_total", { outcome: "done" })).toBe(3);
    expect(of("answerback_verdicts_total", { outcome: "ran", reason: "matched" })).toBe(1);
    expect(of("answerback_verdicts_total", { outcome: "no", reason: "condition" })).toBe(3);
    expect(of("answerback_runs_total", { owner: "rule", status: "done" })).toBe(1);
    expect(of("answerback_items", { status: "sent" })).toBe(1);
    expect(of("answerback_items_settled_total", { status: "sent" })).toBe(1);
    expect(of("answerback_journal_entries")).toBe(3);
    expect(of("answerback_lag_seconds")).toBe(0);
    expect(of("answerback_link_valid")).toBe(1);
    expect(of("answerback_account_subscribed", { account: "hello_bot" })).toBe(1);
    expect(of("process_resident_memory_bytes")).toBeGreaterThan(0);
  });

  it("report durations, and what remains of the platform's limits", async () => {
    const { value: of } = await scraped(await answered());
    const endpoint = "POST /2/dm_conversations/with/:participant_id/messages";

    expect(of("answerback_acknowledgement_seconds_count")).toBe(3);
    expect(of("answerback_answer_delay_seconds_count")).toBe(1);
    expect(of("answerback_answer_delay_seconds_sum")).toBeLessThan(30);
    expect(of("answerback_request_seconds_count", { endpoint, status: "201" })).toBe(1);
    const account = "hello_bot";
    expect(of("answerback_budget_remaining", { endpoint, account, window: "15m" })).toBe(14);
    expect(of("answerback_budget_limit", { endpoint, account: "", window: "24h" })).toBe(1_440);
    expect(of("answerback_circuit_open", { endpoint, account: "" })).toBe(0);
  });

  it("report missing parts one by one, and the coverage of each account's day", async () => {
    const bot = await answered();
    await sandbox.control.host("bot.example", "http://127.0.0.1:9");
    await sandbox.control.advance(3_600_000);
    const scrape = await when(async () => {
      await sandbox.control.advance(60_000);
      const now = await scraped(bot);
      return now.value("answerback_ready") === 0 ? now : undefined;
    });

    expect(scrape.value("answerback_missing", { part: "webhook" })).toBe(1);
    expect(scrape.value("answerback_link_valid")).toBe(0);
    const states = scrape.series.filter(({ name }) => name === "answerback_coverage_seconds");
    expect(states.reduce((total, { value }) => total + value, 0)).toBeCloseTo(86_400, 0);
  });

  it("are those of the table, and no other ones of Answerback", async () => {
    const { types } = await scraped(await answered());

    const specs: readonly MetricSpec[] = Object.values(METRICS);
    const ours = [...types].filter(([name]) => name.startsWith("answerback_"));
    expect(new Map(ours)).toEqual(new Map(specs.map(({ name, type }) => [name, type])));
  });

  it("are served at their own address only, and nowhere by default", async () => {
    const bot = await opened({});
    const { webhook, metrics } = await bot.status();

    expect(metrics).toBeUndefined();
    expect((await fetch(`http://${webhook.listen}/metrics`)).status).toBe(404);
  });

  it("name the setting if their address is in use", async () => {
    const first = await opened({ metrics: { listen: "127.0.0.1:0" } });
    const { metrics } = await first.status();
    const [host = "", port = ""] = metrics?.listen.split(":") ?? [];
    const at = { host, port: Number(port) };

    await expect(
      serveMetrics({ at, contentType: "text/plain", text: async () => "", log }),
    ).rejects.toMatchObject({ code: "usage", hint: expect.stringContaining("metrics.listen") });
  });

  it("name the setting if their address is of another machine, and do not look for a program there", async () => {
    // This address is reserved for documentation (RFC 5737), so no machine has it.
    const at = { host: "192.0.2.1", port: 9464 };

    await expect(
      serveMetrics({ at, contentType: "text/plain", text: async () => "", log }),
    ).rejects.toMatchObject({
      message: "metrics can't be served: 192.0.2.1 is not an address of this machine",
      hint: "set metrics.listen to an address of this machine, such as 127.0.0.1:9464",
      retryable: false,
    });
  });
});

/** State of a process that has received nothing, and does not know the monthly posts. */
const IDLE: MeasuredState = {
  source: "webhook",
  now: 0,
  notReady: [],
  stalled: [],
  webhook: { valid: true, shedding: false },
  accounts: [],
  catchup: { gaps: 0 },
  coverage: [],
  botFaults: 0,
  work: { partitions: 0, inputs: 0, effects: 0, sending: 0 },
  store: { inbox: 0, journal: 0, items: {}, runs: {}, escalations: {} },
  limits: { budgets: [], circuits: [] },
  oldestOf: [],
  self: undefined,
};

it("lack the monthly posts in a process that does not know them", async () => {
  const metrics = openMetrics(() => 0);
  const postsIn = async (state: MeasuredState) => {
    const { value } = readScrape(await metrics.text(state));
    return [value("answerback_month_posts"), value("answerback_month_posts_cap")];
  };

  expect(await postsIn(IDLE)).toEqual([undefined, undefined]);
  expect(await postsIn({ ...IDLE, posts: { used: 0, cap: 5 } })).toEqual([0, 5]);
  expect(await postsIn(IDLE)).toEqual([undefined, undefined]);
});

it("count failures from 0, because Prometheus sees no increase when a series first appears", async () => {
  const { value: of } = readScrape(await openMetrics(() => 0).text(IDLE));

  expect(of("answerback_items_settled_total", { status: "failed" })).toBe(0);
  expect(of("answerback_runs_total", { owner: "rule", status: "failed" })).toBe(0);
  expect(of("answerback_runs_total", { owner: "bot", status: "failed" })).toBe(0);
  expect(of("answerback_decisions_total", { outcome: "dead-lettered" })).toBe(0);
});

it("follow the conventions of names: counters end in _total, times in _seconds", () => {
  const specs: readonly MetricSpec[] = Object.values(METRICS);
  for (const { name, type, help } of specs) {
    expect(name).toMatch(/^answerback_[a-z_]+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
    expect(name.endsWith("_seconds") || type !== "histogram").toBe(true);
    expect(help).toMatch(/\.$/);
  }
});
