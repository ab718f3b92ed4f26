/**
 * Runs a bot's journal, worker and outbox on a store, over a loopback platform that accepts each message and delivers
 * its echo.
 *
 * `child-answering.ts FOLDER`: prints `ready`, then answers each line of stdin, a {@link Talk}, with a line, the {@link
 * Talked}.
 */
import { nameOfProcess } from "../../../src/host/roles/role.ts";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { createClient } from "../../../src/client/create-client.ts";
import { compile } from "../../../src/rules/compile/compile.ts";
import { startAnswering } from "../../../src/host/answer.ts";
import { systemClock } from "../../../src/runtime/clock/clock.ts";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { cleanupStack } from "../../../src/runtime/loop/cleanup-stack.ts";
import { openPausing } from "../../../src/host/answering/pausing.ts";
import { runtimeEvents } from "../../../src/runtime/runtime-events.ts";
import { openStore } from "../../../src/runtime/store/open.ts";
import { ACCOUNT, entryOf, messageFrom } from "./messages.ts";
import type { Talk, Talked } from "./talk.ts";

const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains: open}}]
    actions: [{reply_dm: {text: "We open at 9."}}]
`;

const { ruleset, problems } = compile([{ path: "hours.yaml", text: RULES }]);
if (problems.length > 0) throw new Error(JSON.stringify(problems));
const log = openLog({ level: "error" });
const cleanup = cleanupStack(log);
const store = await openStore(`file:${process.argv[2] ?? ""}`);
cleanup.add("the store", () => store.close());

/** Rate limit headers of the platform, with limits that the benchmark cannot reach. */
function noLimits(): Record<string, string> {
  const reset = String(Math.floor(Date.now() / 1_000) + 900);
  return Object.fromEntries(
    ["x-rate-limit", "x-user-limit-24hour", "x-app-limit-24hour"].flatMap((name) => [
      [`${name}-limit`, "100000000"],
      [`${name}-remaining`, "99999999"],
      [`${name}-reset`, reset],
    ]),
  );
}

/** Callbacks by person, called when the answer to the person arrives at the platform. */
const answered = new Map<string, () => void>();
/** Deliveries that report the bot's own answers, and that are not stored yet. */
const echoes = new Set<Promise<unknown>>();
let count = 0;

const platform = createServer((request, response) => {
  const person = /\/with\/(\d+)\//u.exec(request.url ?? "")?.[1] ?? "";
  answered.get(person)?.();
  request.resume().on("end", () => {
    const id = `${Date.now()}${String(++count).padStart(6, "0")}`;
    response.setHeader("content-type", "application/json");
    for (const [name, value] of Object.entries(noLimits())) response.setHeader(name, value);
    const data = { dm_event_id: id, dm_conversation_id: `${ACCOUNT}-${person}` };
    response.end(JSON.stringify({ data }));
    const echo = messageFrom(ACCOUNT, person, { id, text: "We open at 9." });
    const appending = journal.append(echo, JSON.stringify(echo), "webhook");
    echoes.add(appending);
    void appending.finally(() => echoes.delete(appending));
  });
});
await new Promise<void>((resolve) => platform.listen(0, "127.0.0.1", resolve));
const at = platform.address();
if (at === null || typeof at === "string") throw new Error("the platform has no port");
const baseUrl = `http://127.0.0.1:${at.port}`;

const client = createClient({
  baseUrl,
  credentials: {
    type: "oauth1",
    consumerKey: "key",
    consumerSecret: "secret",
    accessToken: "token",
    accessTokenSecret: "secret",
  },
});
const events = runtimeEvents({
  now: Date.now,
  onListenerError: (error) => log.error({ err: error }),
});
const answering = await startAnswering({
  process: { name: nameOfProcess(undefined) },
  store,
  clock: systemClock,
  log,
  events,
  settings: { limits: { all: {}, accounts: new Map() } },
  rules: { ruleset },
  modules: {
    findBots: async () => [],
    findUsed: async () => [],
    projectFolders: [],
    resolveModule: (file, module) => `${file} ${module}`,
    secretsOf: () => ({}),
  },
  pausing: await openPausing({ store, clock: systemClock, log, events }),
  accounts: {
    find: (id) => ({
      id,
      username: "hello_bot",
      accessToken: "token",
      accessTokenSecret: "secret",
      linkedAt: 0,
    }),
  },
  clients: { of: () => client },
  health: { succeeded: () => {}, failed: () => {}, recheck: async () => {} },
  cleanup,
});
const journal = openJournal({
  store,
  clock: systemClock,
  onAppended: (entries, events, results) => answering.arrived(events, entries, results),
  onRevoked: async () => {},
});

/** Sends a message of one person and waits for its answer. Returns the latency in milliseconds. */
async function converse(person: string): Promise<number> {
  const message = messageFrom(person, ACCOUNT, { id: `${Date.now()}${person.slice(-6)}` });
  const started = performance.now();
  const arrived = new Promise<void>((resolve) => answered.set(person, resolve));
  await journal.append(message, JSON.stringify(message), "webhook");
  await arrived;
  answered.delete(person);
  return performance.now() - started;
}

/** Waits until all effects of the conversations are stored. */
async function recorded(before: number, count: number): Promise<void> {
  for (;;) {
    await Promise.all(echoes);
    const { items } = await store.stats();
    if (items.sent >= before + count && echoes.size === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

let flood: NodeJS.Timeout | undefined;
let flooded = 0;

/** Delivers `perSecond` messages that no rule answers, until the next call. */
function pour(perSecond: number): void {
  clearInterval(flood);
  if (perSecond === 0) return;
  const started = performance.now();
  let sent = 0;
  flood = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond);
    const entries = Array.from({ length: due - sent }, () => entryOf(++flooded));
    sent = due;
    for (const entry of entries) {
      void store.append([entry]).then((results) => answering.arrived([], [entry], results));
    }
  }, 2);
}

function written(): number {
  return Number(/write_bytes: (\d+)/u.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

let people = Math.floor(Math.random() * 1_000_000);

async function talk({ conversations, atOnce, pouring }: Talk): Promise<Talked> {
  pour(pouring);
  const { items } = await store.stats();
  const before = written();
  const started = performance.now();
  const latencies: number[] = [];
  let remaining = conversations;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (remaining-- > 0) latencies.push(await converse(String(10_000_000 + ++people)));
    }),
  );
  const seconds = (performance.now() - started) / 1_000;
  await recorded(items.sent, conversations);
  pour(0);
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    perSecond: conversations / seconds,
    bytes: written() - before,
  };
}

const tell = (what: object): void => void process.stdout.write(`${JSON.stringify(what)}\n`);
tell({ ready: true });
for await (const line of createInterface(process.stdin)) {
  const wantedTalk: Talk = JSON.parse(line);
  tell(await talk(wantedTalk));
}
process.exit(0);
