import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { counted } from "../../../src/runtime/webhook/counted.ts";
import { receiver } from "../../../src/runtime/webhook/receive.ts";
import { serveWebhook, type WebhookServer } from "../../../src/runtime/webhook/server.ts";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";
import { when } from "../../support/when.ts";

const SECRET = "consumer-secret";
const BODY = '{"a":1}';
const SIGNED = { "x-platform-webhooks-signature": signatureOf(BODY, SECRET) };

let seen: string[];
let lasted: number[];
let isFull: boolean;
let server: WebhookServer;
beforeEach(async () => {
  seen = [];
  lasted = [];
  isFull = false;
  const log = openLog({ level: "silent" });
  const receive = receiver({
    consumerSecret: SECRET,
    maxBodyBytes: 1_000,
    log,
    append: async () => {
      if (isFull) throw new Error("disk full");
    },
  });
  server = await serveWebhook({
    host: "127.0.0.1",
    port: 0,
    path: "/webhook",
    log,
    missing: async () => [],
    receive: counted(receive, (request, status, seconds) => {
      seen.push(`${request} ${status}`);
      lasted.push(seconds);
    }),
  });
});
afterEach(() => server.close());

const send = (init: RequestInit, query = "") =>
  fetch(`http://127.0.0.1:${server.port}/webhook${query}`, init);

it("counts each response by kind of request, status and duration", async () => {
  const begun = performance.now();
  await send({ method: "POST", body: BODY, headers: SIGNED });
  await send({ method: "POST", body: BODY });
  isFull = true;
  await send({ method: "POST", body: BODY, headers: SIGNED });
  await send({}, "?crc_token=abc");
  await send({});

  await when(() => (seen.length === 5 ? true : undefined));
  expect(Math.min(...lasted)).toBeGreaterThan(0);
  expect(Math.max(...lasted)).toBeLessThan((performance.now() - begun) / 1_000);
  expect(seen.toSorted()).toEqual([
    "challenge 200",
    "challenge 400",
    "delivery 200",
    "delivery 401",
    "delivery 503",
  ]);
});

it("counts a delivery as aborted if its sender gave up", async () => {
  const socket = connect(server.port, "127.0.0.1");
  const signature = `x-platform-webhooks-signature: ${SIGNED["x-platform-webhooks-signature"]}`;
  socket.write(
    `POST /webhook HTTP/1.1\r\nhost: x\r\n${signature}\r\ncontent-length: 100\r\n\r\n{"half":`,
    () => socket.destroy(),
  );

  expect(await when(() => seen[0])).toBe("delivery aborted");
});
