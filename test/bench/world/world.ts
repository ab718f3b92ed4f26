import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { startTestSandbox, type TestSandbox } from "../../sandbox/support/test-sandbox.ts";
import type { Benchmark } from "../main.ts";
import { type Child, startChild } from "./child.ts";
import { type Corner, type Probe, PROBES, time } from "./probes.ts";
import { HOT_ACCOUNT, largeWorld, type Size } from "./rows.ts";

const SIZE: Size = { accounts: 4_999, events: 1_000_000 };
const ROUNDS = 300;
const ACTS = 100;
const MEGA = 1_000_000;

interface Pair {
  readonly small: number;
  readonly large: number;
}

/**
 * Compares the same requests to two sandboxes. One has a single small account. The other has the same account among
 * 5,000 subscribed accounts and 1,000,000 stored events.
 *
 * Each sandbox is a separate process. The requests take turns, so that a slow moment of the machine affects both.
 */
export const world: Benchmark = {
  name: "world",
  about: "latency with 5,000 accounts and 1,000,000 events, beside a world with one account",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), "answerback-world-"));
    const fixture = await startTestSandbox({ settings: { limits: { enabled: false } } });
    try {
      const corner = await furnish(fixture);
      const files = { small: join(folder, "small"), large: join(folder, "large") };
      await writeWorlds(fixture, corner, files);
      const file_mb = (await stat(files.large)).size / MEGA;
      say(`the large world's file holds ${Math.round(file_mb)} MB`);
      const small = await startChild(files.small);
      const large = await startChild(files.large);
      say(`loaded in ${large.seconds.toFixed(1)} s`);
      const memory = { small: await small.memory(), large: await large.memory() };
      const times = await measure({ small, large }, corner, say);
      const hot = await hotPages({ small, large }, corner);
      const act = await acts(fixture, { small, large }, corner);
      const copy = await copyState(large, small);
      await large.control.act(corner.person, { type: "post", text: "something to save" });
      const save = { large: await large.close(), small: await small.close() };
      const ratio = (kind: Probe["kind"]): number =>
        Math.max(...times.filter(([probe]) => probe.kind === kind).map(([, pair]) => over(pair)));
      const figures = {
        ratio_lookup: round2(ratio("lookup")),
        ratio_page: round2(Math.max(ratio("page"), over(hot))),
        ratio_hot_page: round2(over(hot)),
        ratio_act: round2(over(act)),
        act_to_delivery_ms: round2(act.large),
        subscriptions_list_ms: round2(times.find(([{ kind }]) => kind === "list")?.[1].large ?? 0),
        mb_per_million: Math.round(
          (memory.large.heap - memory.small.heap) / MEGA / (SIZE.events / MEGA),
        ),
        rss_mb: Math.round(memory.large.rss / MEGA),
        file_mb: Math.round(file_mb),
        load_s: round2(large.seconds),
        save_s: round2(save.large),
        state_get_put_s: round2(copy),
      };
      const rows = times.map(([{ name }, pair]) => [name, pair] as const);
      const timed = [
        ...rows,
        ["mentions of the busiest account", hot],
        ["act to delivery", act],
      ] as const;
      return {
        figures,
        table: [
          ["median of a request", "one account", "5,000 accounts, 1,000,000 events", "ratio"],
          ...timed.map(([name, pair]) => [
            name,
            `${pair.small.toFixed(2)} ms`,
            `${pair.large.toFixed(2)} ms`,
            over(pair).toFixed(2),
          ]),
          ["memory of a million events", "", `${figures.mb_per_million} MB`, ""],
          ["load", "", `${figures.load_s} s`, ""],
          ["save", "", `${figures.save_s} s`, ""],
          ["state out and in over HTTP", "", `${figures.state_get_put_s} s`, ""],
        ],
      };
    } finally {
      await fixture.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Creates a small account that has enough objects of every kind to fill a page. */
async function furnish(fixture: TestSandbox): Promise<Corner> {
  const { control } = fixture.sandbox;
  const webhookId = await fixture.subscribed();
  let postId = "";
  let messageId = "";
  for (let n = 0; n < 120; n += 1) {
    const text = `cornerstone ${n} @hello_bot`;
    await control.act(fixture.person, { type: "post", text });
    postId = (await control.act(fixture.bot, { type: "post", text: `my post ${n}` })).id;
    messageId = (await control.act(fixture.person, { type: "dm", to: fixture.bot, text })).id;
    const fan = await control.user(`fan_${n}`);
    await control.act(fan, { type: "follow", user_id: fixture.bot });
  }
  await control.act(fixture.bot, { type: "follow", user_id: fixture.person });
  await fixture.idle();
  const tokens = await control.tokens(fixture.bot, fixture.app.app_id);
  const { app, bot, person } = fixture;
  return { app, tokens, bot, person, webhookId, postId, messageId };
}

async function writeWorlds(
  fixture: TestSandbox,
  { webhookId, app }: Corner,
  files: { small: string; large: string },
): Promise<void> {
  const { tables, ...header } = await fixture.sandbox.control.get<{
    tables: Record<string, object[]>;
  }>("/state");
  const home = { webhookId, appId: app.app_id, now: Date.now() };
  function* lines(large: boolean): Generator<string> {
    yield `${JSON.stringify(header)}\n`;
    // The large world's rows come first: their ids are lower, and a world that grew over time is sorted by id.
    for (const row of large ? largeWorld(SIZE, home) : []) yield `${JSON.stringify(row)}\n`;
    for (const [name, rows] of Object.entries(tables)) {
      for (const row of rows) yield `${JSON.stringify([name, row])}\n`;
    }
  }
  await pipeline(Readable.from(lines(false)), createWriteStream(files.small));
  await pipeline(Readable.from(lines(true)), createWriteStream(files.large));
}

interface Both {
  readonly small: Child;
  readonly large: Child;
}

async function measure(
  both: Both,
  corner: Corner,
  say: (line: string) => void,
): Promise<(readonly [Probe, Pair])[]> {
  const results: (readonly [Probe, Pair])[] = [];
  for (const probe of PROBES) {
    const pair = await alternate(
      () => time(both.small.url, probe, corner),
      () => time(both.large.url, probe, corner),
      ROUNDS,
    );
    say(`${probe.name}  ${pair.small.toFixed(2)} ms  ${pair.large.toFixed(2)} ms`);
    results.push([probe, pair]);
  }
  return results;
}

/** Requests a page of the account that takes part in every tenth event, to compare it with the small account's. */
async function hotPages(both: Both, corner: Corner): Promise<Pair> {
  const { users } = await both.large.control.get<{ users: { id: string }[] }>(
    `/users?username=${HOT_ACCOUNT}`,
  );
  const probe = PROBES.find(({ name }) => name === "mentions");
  if (probe === undefined) throw new Error("there is no probe of mentions");
  const hot = { ...corner, bot: users[0]?.id ?? "" };
  return alternate(
    () => time(both.small.url, probe, corner),
    () => time(both.large.url, probe, hot),
    ROUNDS,
  );
}

/** Measures the time from a person's message to its delivery at the webhook. */
function acts(fixture: TestSandbox, both: Both, { bot, person }: Corner): Promise<Pair> {
  const act = async ({ control }: Child): Promise<number> => {
    const before = fixture.received.length;
    const started = performance.now();
    await control.act(person, { type: "dm", to: bot, text: "hello" });
    while (fixture.received.length === before)
      await new Promise((resolve) => setImmediate(resolve));
    return performance.now() - started;
  };
  return alternate(
    () => act(both.small),
    () => act(both.large),
    ACTS,
  );
}

/** Measures the seconds to save the whole large world in one sandbox and load it in the other. */
async function copyState(from: Child, to: Child): Promise<number> {
  const authorization = `Bearer ${from.control.token}`;
  const started = performance.now();
  const out = await fetch(`${from.control.url}/state`, { headers: { authorization } });
  const into = await fetch(`${to.control.url}/state`, {
    method: "PUT",
    headers: { authorization, "content-type": "application/json" },
    body: out.body,
    duplex: "half",
  });
  if (into.status !== 200) throw new Error(`PUT /state: ${into.status} ${await into.text()}`);
  await into.text();
  return (performance.now() - started) / 1_000;
}

async function alternate(
  small: () => Promise<number>,
  large: () => Promise<number>,
  rounds: number,
): Promise<Pair> {
  const durations: Record<keyof Pair, number[]> = { small: [], large: [] };
  for (let round = -20; round < rounds; round += 1) {
    const pair = { small: await small(), large: await large() };
    if (round < 0) continue;
    durations.small.push(pair.small);
    durations.large.push(pair.large);
  }
  return { small: median(durations.small), large: median(durations.large) };
}

function over({ small, large }: Pair): number {
  return large / small;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
