import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { receiver, type ReceiverNeeds } from "../../../src/runtime/webhook/receive.ts";
import { serveWebhook, type WebhookServer } from "../../../src/runtime/webhook/server.ts";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";
import { when } from "../../support/when.ts";

const SECRET = "consumer-secret";
const FORGED = signatureOf("another body", SECRET);
const MIB = 1024 * 1024;

let server: WebhookServer;
let storedBodies: string[];
let lines: string[];
let sockets: Socket[];
beforeEach(() => {
  storedBodies = [];
  lines = [];
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

async function serving(more: Partial<ReceiverNeeds> = {}): Promise<void> {
  const log = openLog({
    level: "info",
    destination: { write: (line) => void lines.push(line) },
  });
  server = await serveWebhook({
    host: "127.0.0.1",
    port: 0,
    path: "/hidden/webhook",
    log,
    missing: async () => [],
    receive: receiver({
      consumerSecret: SECRET,
      maxBodyBytes: 4 * MIB,
      log,
      append: async (_delivery, raw) => void storedBodies.push(raw),
      ...more,
    }),
  });
}

/** Opens a stranger's connection, which sends `bytes` and nothing more. */
function stranger(...bytes: readonly (string | Buffer)[]) {
  const socket = connect(server.port, server.host);
  sockets.push(socket);
  let got = "";
  socket.on("data", (chunk: Buffer) => (got += chunk.toString()));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  const sent = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    for (const one of bytes) socket.write(one);
    socket.write("", () => resolve());
  });
  return { socket, sent, ended, got: () => got };
}

function head(length: number, signature?: string): string {
  const signed = signature === undefined ? "" : `x-platform-webhooks-signature: ${signature}\r\n`;
  return `POST /hidden/webhook HTTP/1.1\r\nhost: x\r\n${signed}content-length: ${length}\r\n\r\n`;
}

const url = (path = "/hidden/webhook"): string => `http://${server.host}:${server.port}${path}`;

async function deliver(body: string, signature = signatureOf(body, SECRET)): Promise<number> {
  const headers = { "x-platform-webhooks-signature": signature };
  return (await fetch(url(), { method: "POST", body, headers })).status;
}

async function deliverMany(count: number): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let n = 0; n < count; n++) {
    const status = await deliver(JSON.stringify({ n, text: "x".repeat(2_000) }));
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

describe("half-sent bodies", () => {
  it.each([
    { count: 16, signature: undefined, why: "without a signature" },
    { count: 16, signature: "sha256=none", why: "with what is no signature" },
    { count: 24, signature: FORGED, why: "with a forged signature" },
  ])("$why, $count of 4 MiB, keep no signed delivery out", async ({ count, signature }) => {
    await serving();
    const bodies = Array.from({ length: count }, () =>
      stranger(head(4 * MIB, signature), Buffer.alloc(4 * MIB - 1, 0x20)),
    );
    await Promise.all(bodies.map(({ sent }) => sent));

    expect(await deliverMany(50)).toEqual({ 200: 50 });
    expect(storedBodies).toHaveLength(50);
  });

  it("without a signature are refused at once", async () => {
    await serving();
    const { got, ended } = stranger(head(100));
    await ended;

    expect(got()).toMatch(/^HTTP\/1\.1 401/);
  });

  it("are dropped with 408 when their time is over", async () => {
    let now = 0;
    let later: (() => void)[] = [];
    await serving({
      time: { now: () => now, after: (_ms, run) => void later.push(run) },
    });
    const { got, ended } = stranger(`${head(100, FORGED)}{"half":`);
    await when(() => (later.length > 0 ? true : undefined));
    now += 5_000;
    for (const run of later.splice(0)) run();
    await ended;

    expect(got()).toMatch(/^HTTP\/1\.1 408/);
  });

  it("of many small senders are dropped for a delivery that arrives in two pieces", async () => {
    await serving({ roomBytes: 100_000 });
    for (let i = 0; i < 50; i++) stranger(`${head(100, FORGED)}{`);
    const body = '{"in":"two pieces"}';
    const delivery = stranger(head(body.length, signatureOf(body, SECRET)) + body.slice(0, 5));
    await delivery.sent;
    delivery.socket.write(body.slice(5));
    await when(() => (delivery.got() === "" ? undefined : true));

    expect(delivery.got()).toMatch(/^HTTP\/1\.1 200/);
    expect(storedBodies).toEqual([body]);
  });
});

describe("a request of a stranger", () => {
  it("is logged at intervals, not every time", async () => {
    await serving();
    // A challenge's answer is a signature of the token: if any text were signed, a stranger could have a
    // delivery signed. Only a JSON object is refused.
    const answer: { response_token: string } = JSON.parse(
      await (await fetch(url("/hidden/webhook?crc_token=not%20json"))).text(),
    );
    for (let i = 0; i < 200; i++) {
      expect(await deliver("not json", answer.response_token)).toBe(400);
      expect(await deliver("{}", FORGED)).toBe(401);
      expect(await deliver("{}", "")).toBe(401);
      await fetch(url("/hidden/webhook?crc_token="));
      await fetch(url(`/${i}`));
      stranger("BANANA\r\n\r\n");
    }

    expect(lines.length).toBeLessThan(10);
    expect(lines.join("").length).toBeLessThan(2_000);
  });

  it("does not reveal the webhook's path", async () => {
    await serving();

    const answer = await fetch(url("/elsewhere"));
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("hidden");
  });

  it("shows no stack trace, and is not printed, when a check fails", async () => {
    const log = openLog({
      level: "info",
      destination: { write: (line) => void lines.push(line) },
    });
    server = await serveWebhook({
      host: "127.0.0.1",
      port: 0,
      log,
      missing: () => Promise.reject(new Error("disk gone")),
    });
    const answers = await Promise.all([1, 2, 3].map(() => fetch(url("/readyz"))));

    for (const answer of answers) {
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain("disk gone");
    }
    expect(lines).toHaveLength(1);
  });
});

describe("connections", () => {
  it("that send a flood of requests at once are ended, and other connections are not", async () => {
    let release = (): void => {};
    const stalled = new Promise<void>((resolve) => (release = resolve));
    await serving({ append: () => stalled });
    const body = "{}";
    const request = head(body.length, signatureOf(body, SECRET)) + body;
    const flood = stranger(request.repeat(100));
    await flood.ended;
    const few = stranger(request.repeat(10));
    await few.sent;
    release();
    await when(() => (few.got().match(/HTTP\/1\.1 200/g)?.length === 10 ? true : undefined));

    expect(flood.got()).toBe("");
  });

  it.each([
    { count: 33, why: "one under way, and as many behind it as may wait", ends: false },
    { count: 34, why: "one more", ends: true },
  ])("that send $count requests at once are ended: $ends, $why", async ({ count, ends }) => {
    let release = (): void => {};
    const stalled = new Promise<void>((resolve) => (release = resolve));
    await serving({ append: () => stalled });
    const body = "{}";
    const request = head(body.length, signatureOf(body, SECRET)) + body;
    const many = stranger(request.repeat(count));
    let isOver = false;
    void many.ended.then(() => (isOver = true));
    await many.sent;
    const answers = () => many.got().match(/HTTP\/1\.1 200/g)?.length ?? 0;
    if (!ends) release();
    await when(() => (isOver || answers() === count ? true : undefined));
    release();

    expect({ isOver, answers: answers() }).toEqual({ isOver: ends, answers: ends ? 0 : count });
  });
});
