import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openLog } from "../../../src/runtime/log.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import { METRICS, type MetricSpec } from "../../../src/runtime/telemetry/metric-table.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { readScrape, type Scrape } from "../../support/prometheus-text.ts";
import { when } from "../../support/when.ts";
import { firing } from "./alert-expressions.ts";

const DEPLOY = new URL("../../../examples/deploy/", import.meta.url);
const read = (name: string): Promise<string> => readFile(new URL(name, DEPLOY), "utf8");

interface Alert {
  readonly alert: string;
  readonly expr: string;
}
const { groups }: { groups: readonly { rules: readonly Alert[] }[] } = parse(
  await read("alerts.yaml"),
);
const ALERTS = groups.flatMap(({ rules }) => rules);

const RULES = `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: hi } }]
    actions: [{ reply_dm: Hello! }]
  - id: breaks
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: break } }]
    actions: [{ reply_dm: "\${{ string(int(message.text)) }}" }]
  - id: slow
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: slow } }]
    actions: [{ delay: 10m }, { reply_dm: Done. }]
  - id: human
    triggers: [dm.received]
    conditions: [{ message.text: { contains_word: human } }]
    actions: [{ escalate: { queue: support } }]
`;

const log = openLog({ level: "silent" });
const NOTHING: Scrape = { types: new Map(), series: [], value: () => undefined };
let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;
let bot: string;
let ana: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "alerts-"));
  sandbox = await startSandbox();
  runtime = await openRuntime({
    settings: { metrics: { listen: "127.0.0.1:0" } },
    sandbox,
    rules: [{ text: RULES }],
    data: folder,
    environment: {},
    log,
  });
  bot = (await runtime.status()).accounts[0]?.id ?? "";
  ana = await sandbox.control.user("ana");
});
afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

async function scraped(): Promise<Scrape> {
  const { metrics } = await runtime.status();
  return readScrape(await (await fetch(`http://${metrics?.listen}/metrics`)).text());
}

const says = (text: string) => sandbox.control.act(ana, { type: "dm", to: bot, text });

/** Makes an alert fire; `fires` checks whether it does. */
type Provoke = (fires: () => Promise<boolean>) => Promise<void>;

/** Advances the time until the alert fires. */
const inTime =
  (ms: number, begin: () => Promise<unknown>): Provoke =>
  async (fires) => {
    await begin();
    await when(async () => {
      if (await fires()) return true;
      await sandbox.control.advance(ms);
      return undefined;
    });
  };
const atOnce =
  (begin: () => Promise<unknown>): Provoke =>
  async (fires) => {
    await begin();
    await when(async () => ((await fires()) ? true : undefined));
  };
const unreachable = inTime(600_000, () =>
  sandbox.control.host("bot.example", "http://127.0.0.1:9"),
);

const PROVOKED: Readonly<Record<string, Provoke>> = {
  AnswerbackNotReady: unreachable,
  AnswerbackPartMissing: unreachable,
  AnswerbackLinkLost: unreachable,
  AnswerbackAccountSilent: inTime(30_000, async () => {
    const [app] = await sandbox.control.apps();
    await sandbox.control.revoke(bot, app?.app_id ?? "");
  }),
  AnswerbackPlatformAway: inTime(60_000, () =>
    sandbox.control.addFault({
      match: { direction: "request" },
      fault: { type: "status", status: 503 },
      when: { always: true },
    }),
  ),
  AnswerbackBacklog: inTime(60_000, async () => {
    await runtime.pause();
    await says("hi");
  }),
  AnswerbackAnswersFail: inTime(60_000, async () => {
    await says("slow");
    await when(async () => ((await runtime.status()).store.runs.waiting === 1 ? true : undefined));
    await sandbox.control.act(ana, { type: "block", user_id: bot });
  }),
  AnswerbackAnswersUnknown: atOnce(async () => {
    const match = { direction: "request", method: "POST", path: "/2/dm_conversations/*" } as const;
    const fault = { type: "status", status: 503 } as const;
    await sandbox.control.addFault({ match, fault, when: { always: true } });
    await says("hi");
  }),
  AnswerbackRunsFail: atOnce(() => says("break")),
  AnswerbackAnswersHeld: atOnce(async () => {
    for (let count = 0; count < 4; count += 1) await says("hi");
  }),
  AnswerbackHandOverOpen: atOnce(() => says("a human")),
};

describe("an alert of the example", () => {
  it.each(ALERTS.filter(({ alert }) => alert !== "AnswerbackAbsent"))(
    "is silent in normal operation, and fires otherwise: $alert",
    async ({ alert, expr }) => {
      const before = await scraped();
      expect(firing(expr, [before, await scraped()])).toEqual([]);

      await PROVOKED[alert]?.(async () => firing(expr, [before, await scraped()]).length > 0);

      expect(firing(expr, [before, await scraped()])).not.toEqual([]);
    },
  );

  it("is silent with source: polling, which has no webhook", async () => {
    await runtime.stop();
    const polled = await mkdtemp(join(tmpdir(), "alerts-polling-"));
    runtime = await openRuntime({
      settings: { source: "polling", metrics: { listen: "127.0.0.1:0" } },
      sandbox,
      rules: [{ text: RULES }],
      data: polled,
      environment: {},
      log,
    });
    const before = await scraped();
    const now = await scraped();

    expect(ALERTS.filter(({ expr }) => firing(expr, [before, now]).length > 0)).toEqual([]);
    await rm(polled, { recursive: true });
  });

  it("fires if there are no metrics: AnswerbackAbsent", async () => {
    const expr = ALERTS.find(({ alert }) => alert === "AnswerbackAbsent")?.expr ?? "";
    const now = await scraped();

    expect(firing(expr, [now, now])).toEqual([]);
    expect(firing(expr, [now, NOTHING])).toHaveLength(1);
  });
});

describe("alerts and dashboard", () => {
  const metricNames = new Set(Object.values<MetricSpec>(METRICS).map(({ name }) => name));
  const namesIn = (text: string): readonly string[] =>
    [...text.matchAll(/answerback_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, ""));

  it("use existing metrics only", async () => {
    const named = [
      ...ALERTS.flatMap(({ expr }) => namesIn(expr)),
      ...namesIn(await read("grafana-dashboard.json")),
    ];
    expect(named.filter((name) => !metricNames.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it("are in the table of alerts, each with an instruction", async () => {
    const rows = (await read("README.md"))
      .split("\n")
      .filter((line) => line.startsWith("| Answerback"));

    expect(rows.map((row) => row.split("|")[1]?.trim())).toEqual(ALERTS.map(({ alert }) => alert));
  });
});
