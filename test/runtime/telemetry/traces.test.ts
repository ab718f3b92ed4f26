import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpanStatusCode, trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime } from "../../../src/host/open-runtime.ts";
import { traceOf } from "../../../src/runtime/telemetry/event-trace.ts";
import { SPANS, type SpanSpec } from "../../../src/runtime/telemetry/span-table.ts";
import { openSpans } from "../../../src/runtime/telemetry/spans.ts";
import { tracing } from "../../../src/runtime/telemetry/tracing.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { when } from "../../support/when.ts";
import { entry } from "../store/builders.ts";

const RULES = `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hi}}]
    actions: [{reply_dm: "A greeting"}]
  - id: later
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: later}}]
    actions: [{delay: 1h}, {reply_dm: "A late greeting"}]
`;
const SENDING = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };

const exporter = new InMemorySpanExporter();
let folder: string;
let sandbox: RunningSandbox;
let runtime: Runtime;
let bot: string;
let ana: string;
beforeEach(async () => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  folder = await mkdtemp(join(tmpdir(), "traces-"));
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  runtime = await opening();
  bot = (await runtime.status()).accounts[0]?.id ?? "";
  ana = await sandbox.control.user("ana");
});
afterEach(async () => {
  await runtime.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
  trace.disable();
  exporter.reset();
});

const opening = (): Promise<Runtime> =>
  openRuntime({
    sandbox,
    rules: [{ text: RULES }],
    data: folder,
    environment: {},
    log: openLog({ level: "silent" }),
  });

/** Sends a message as @ana and returns the id of its trace. */
async function written(text: string): Promise<string> {
  const { id } = await sandbox.control.act(ana, { type: "dm", to: bot, text });
  return traceOf({ account: bot, key: `message:${id}` }).traceId;
}

const spansOf = (traceId: string): readonly ReadableSpan[] =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);

/** Returns the spans of a trace once it contains each of these names, as often as listed. */
const whenTraced = (traceId: string, name: string, times = 1): Promise<readonly ReadableSpan[]> =>
  when(() => {
    const spans = spansOf(traceId);
    return spans.filter((span) => span.name === name).length >= times ? spans : undefined;
  });

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const match = spans.find((span) => span.name === name);
  if (match === undefined) throw new Error(`no span ${name}`);
  return match;
};

describe("the trace of a message", () => {
  it("covers everything from its delivery to its answer", async () => {
    const spans = await whenTraced(await written("hi"), "send");
    const names = ["deliver", "append", "decide", "send"];

    expect(spans.map(({ name }) => name).filter((name) => names.includes(name))).toHaveLength(4);
    const deliver = named(spans, "deliver");
    expect(named(spans, "append").parentSpanContext?.spanId).toBe(deliver.spanContext().spanId);
    expect(named(spans, "append").attributes).toMatchObject({
      "answerback.account": bot,
      "answerback.event.kind": "message",
      "answerback.event.new": true,
      "answerback.source": "webhook",
    });
    const decide = named(spans, "decide");
    expect(decide.attributes).toMatchObject({
      "answerback.rules.ran": ["hi"],
      // The index excludes a rule whose words are missing in the message, so it gets no verdict.
      "answerback.rules.verdicts": ["hi: ran, matched"],
      "answerback.outcome": "done",
    });
    expect(decide.events).toMatchObject([
      { name: "item queued", attributes: { "answerback.item.verb": "reply_dm" } },
    ]);
    expect(named(spans, "send").attributes).toMatchObject({
      "answerback.item.attempt": 1,
      "answerback.item.verb": "reply_dm",
      "answerback.sending": "accepted",
    });
  });

  it("continues in the next process after a restart", async () => {
    const traceId = await written("later");
    await whenTraced(traceId, "decide");
    await runtime.stop();
    runtime = await opening();
    await sandbox.control.advance(3_600_000);
    const spans = await whenTraced(traceId, "send");

    const runs = spans.filter(({ name }) => name === "go on");
    expect(runs.map(({ attributes }) => attributes["answerback.input"])).toContain("timer-due");
  });

  it("has one span for each request, and the failed ones are marked", async () => {
    const fault = { type: "limit" };
    await sandbox.control.post("/faults", { match: SENDING, fault, when: { next: 1 } });
    const traceId = await written("hi");
    const spans = await when(async () => {
      await sandbox.control.advance(30_000);
      const sends = spansOf(traceId).filter(({ name }) => name === "send");
      return sends.length >= 2 ? sends : undefined;
    });

    const [first, last] = [spans[0], spans.at(-1)];
    expect(first?.status.code).toBe(SpanStatusCode.ERROR);
    expect(first?.attributes["error.type"]).toBe("limited");
    expect(last?.attributes["answerback.sending"]).toBe("accepted");
  });

  it("contains no text, no token and no id except the account's", async () => {
    await whenTraced(await written("hi there, my secret is heliotrope"), "send");

    const spans = exporter.getFinishedSpans();
    const printed = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    );
    expect(printed).not.toMatch(/greeting|heliotrope|secret|token/i);
    expect(printed).not.toContain(ana);
    const knownAttributes = new Set<string>(
      Object.values(SPANS).flatMap(({ attributes }: SpanSpec) => [...attributes, "error.type"]),
    );
    const used = spans.flatMap(({ attributes }) => Object.keys(attributes));
    expect(used.filter((name) => !knownAttributes.has(name))).toEqual([]);
  });
});

it("belongs to the first event of a delivery with several: the traces of the others link to it", async () => {
  const source = openSpans();
  if (source === undefined) throw new Error("no SDK is registered");
  const { takingIn, appending } = tracing(source);
  const entries = ["message:1", "message:2"].map((key) => entry({ key, account: "100" }));
  const append = takingIn("webhook", async (delivery) => {
    const ended = appending(delivery, entries);
    ended([
      { outcome: "new", seq: 1 },
      { outcome: "duplicate", seq: 1 },
    ]);
    return 1;
  });
  await append({}, "");

  const [first = "", second = ""] = entries.map((one) => traceOf(one).traceId);
  const other = named(spansOf(second), "append");
  const deliver = named(spansOf(first), "deliver").spanContext();
  expect(other.links.map(({ context }) => context.spanId)).toEqual([deliver.spanId]);
  expect(other.attributes["answerback.event.new"]).toBe(false);
});

it("costs nothing without an SDK", () => {
  trace.disable();

  expect(openSpans()).toBeUndefined();
});
