import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../../../src/cli/exit-codes.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { receiver } from "../../../src/runtime/webhook/receive.ts";
import { serveWebhook, type WebhookServer } from "../../../src/runtime/webhook/server.ts";
import { signatureOf } from "../../../src/runtime/webhook/signature.ts";

const SECRET = "consumer-secret";
const silent = openLog({ level: "silent" });

function serving(
  append: (delivery: object, raw: string) => Promise<void> = async () => {},
  port = 0,
  log = silent,
): Promise<WebhookServer> {
  return serveWebhook({
    host: "127.0.0.1",
    port,
    path: "/webhook",
    log,
    missing: async () => [],
    receive: receiver({ consumerSecret: SECRET, maxBodyBytes: 1_000, log, append }),
  });
}

/** Sends raw bytes. Returns the socket, and all received text when it ends. */
async function talking({ host, port }: WebhookServer, bytes: string) {
  const socket: Socket = connect(port, host);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const all = new Promise<string>((resolve) => {
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return { socket, all };
}

const head = (...lines: string[]): string =>
  `${["POST /webhook HTTP/1.1", "host: x", ...lines].join("\r\n")}\r\n\r\n`;
const BODY = '{"a":1}';
const FORGED = `x-platform-webhooks-signature: ${signatureOf(BODY, "another secret")}`;
const SIGNATURE = `x-platform-webhooks-signature: ${signatureOf(BODY, SECRET)}`;

it("ends even if a client holds a connection with half a request", async () => {
  const server = await serving();
  const slow = await talking(server, `${head(SIGNATURE, "content-length: 100")}{"half":`);
  await server.close();

  // Closing the server ends the connection without a response; a timeout would have sent status 408.
  expect(await slow.all).toBe("");
});

it("reports the busy address, and leaves it to the first server", async () => {
  const first = await serving();

  await expect(serving(undefined, first.port)).rejects.toThrow(`port ${first.port}`);
  await first.close();
});

// These addresses are reserved for documentation (RFC 5737, RFC 3849), so no machine has them.
it.each([
  { host: "192.0.2.1", why: "that is of another machine" },
  { host: "[2001:db8::1]", why: "of IPv6" },
  { host: "bot..example", why: "that is no name" },
])("names webhook.listen if it is an address $why, and stays ended", async ({ host }) => {
  const error = await serveWebhook({
    host,
    port: 0,
    path: "/",
    log: silent,
    missing: async () => [],
  }).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({
    code: "usage",
    message: expect.stringContaining(host),
    hint: expect.stringMatching(/^set webhook\.listen to an address of this machine, .*proxy/),
  });
  // systemd does not restart a bot after a usage error
  expect(exitCodeOf(error)).toBe(EXIT.usage);
});

it.each(["sha256=", `x${signatureOf(BODY, SECRET)}`, `${signatureOf(BODY, SECRET)}x`, "sha1=abc"])(
  "refuses a delivery whose header is %s without waiting for its body",
  async (signature) => {
    const server = await serving();
    const header = `x-platform-webhooks-signature: ${signature}`;
    const { all } = await talking(server, head(header, "content-length: 100"));

    expect(await all).toMatch(/^HTTP\/1\.1 401 [^]*missing or malformed/);
    await server.close();
  },
);

it("logs at intervals that it refuses requests with too long headers", async () => {
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  const server = await serving(undefined, 0, openLog({ level: "warn", destination }));
  for (let count = 0; count < 3; count += 1) {
    const { all } = await talking(server, head(`x-trace: ${"a".repeat(20_000)}`, SIGNATURE));
    expect(await all).toMatch(/^HTTP\/1\.1 431/);
  }
  const { all } = await talking(server, "BANANA\r\n\r\n");
  expect(await all).toMatch(/^HTTP\/1\.1 400/);
  await server.close();

  expect(logged).toEqual([expect.stringContaining("headers are longer than 16 KB")]);
});

it("answers an unknown path with 404", async () => {
  const server = await serving();
  const answer = await fetch(`http://127.0.0.1:${server.port}/nowhere?x=1`);

  expect([answer.status, await answer.json()]).toEqual([404, { error: "nothing at /nowhere" }]);
  await server.close();
});

it("keeps an idle connection longer than load balancers do, which wait a minute", async () => {
  const server = await serving();
  const { headers } = await fetch(`http://127.0.0.1:${server.port}/healthz`);

  expect(headers.get("keep-alive")).toBe("timeout=75");
  await server.close();
});

it.each([
  { target: "/webhook/", status: 200, why: "a slash at its end" },
  { target: "/web%68ook?x=1", status: 200, why: "an encoded letter" },
  { target: "/webhook%2F", status: 404, why: "an encoded slash, which is not a separator" },
  { target: "/webhook//", status: 404, why: "two slashes at its end" },
  { target: "/Webhook", status: 404, why: "a capital letter" },
])("answers $status to a path with $why", async ({ target, status }) => {
  const server = await serving();
  const answer = await fetch(`http://127.0.0.1:${server.port}${target}`, {
    method: "POST",
    body: BODY,
    headers: { "x-platform-webhooks-signature": signatureOf(BODY, SECRET) },
  });

  expect(answer.status).toBe(status);
  await server.close();
});

it("accepts a delivery with a byte order mark, and stores the text without it", async () => {
  const stored: string[] = [];
  const server = await serving(async (_delivery, raw) => void stored.push(raw));
  const body = `\uFEFF${BODY}`;
  const answer = await fetch(`http://127.0.0.1:${server.port}/webhook`, {
    method: "POST",
    body,
    headers: { "x-platform-webhooks-signature": signatureOf(body, SECRET) },
  });

  expect([answer.status, stored]).toEqual([200, [BODY]]);
  await server.close();
});

it("answers requests that come in one piece, in order", async () => {
  const server = await serving();
  const one = head(SIGNATURE, `content-length: ${BODY.length}`) + BODY;
  const last = head(SIGNATURE, "connection: close", `content-length: ${BODY.length}`) + BODY;
  const pipe = await talking(server, one + one.replace(SIGNATURE, FORGED) + last);

  const statuses = (await pipe.all).match(/HTTP\/1\.1 \d+/g);
  expect(statuses).toEqual(["HTTP/1.1 200", "HTTP/1.1 401", "HTTP/1.1 200"]);
  await server.close();
});

it.each([
  {
    bytes: `${head(SIGNATURE, "connection: close", "transfer-encoding: chunked")}3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`,
    status: "200",
    why: "a body in chunks",
  },
  {
    bytes: `${head(SIGNATURE, "connection: close", "expect: 100-continue", `content-length: ${BODY.length}`)}${BODY}`,
    status: "100",
    why: "a sender that waits to be asked on",
  },
  {
    bytes: `${head(SIGNATURE, "connection: close", `content-length: ${BODY.length}`).replace("/webhook", "http://bot.example/webhook")}${BODY}`,
    status: "200",
    why: "a whole URL as its target, as some proxies send",
  },
  {
    bytes: `${head(SIGNATURE, SIGNATURE, "connection: close", `content-length: ${BODY.length}`)}${BODY}`,
    status: "200",
    why: "a signature that a proxy repeated",
  },
  {
    bytes: `${head(SIGNATURE, FORGED, "connection: close", `content-length: ${BODY.length}`)}${BODY}`,
    status: "401",
    why: "two signatures that differ",
  },
  {
    bytes: `${head(SIGNATURE, "connection: close", "content-length: 5")}${BODY}`,
    status: "400",
    why: "a length shorter than the body",
  },
  {
    bytes: `${head(SIGNATURE, "content-length: 7", "transfer-encoding: chunked")}${BODY}`,
    status: "400",
    why: "two lengths at once, as smugglers do",
  },
  { bytes: head("content-length: -1"), status: "400", why: "a length below nothing" },
  { bytes: head(SIGNATURE, "content-length: 2000"), status: "413", why: "too long" },
  { bytes: head("content-length: 2000"), status: "401", why: "no signature, before any body" },
  {
    bytes: `${head(SIGNATURE, "connection: close", `x-long: ${"x".repeat(15_000)}`, `content-length: ${BODY.length}`)}${BODY}`,
    status: "200",
    why: "headers of 15 kB",
  },
  {
    bytes: `${head(...Array.from({ length: 120 }, (_, n) => `x-${n}: a`), SIGNATURE, "connection: close", `content-length: ${BODY.length}`)}${BODY}`,
    status: "200",
    why: "120 header fields",
  },
  { bytes: head(`x-long: ${"x".repeat(20_000)}`), status: "431", why: "headers without end" },
  { bytes: "BANANA\r\n\r\n", status: "400", why: "no request at all" },
])("answers $status to $why, and takes the next delivery", async ({ bytes, status }) => {
  const server = await serving();
  const { all } = await talking(server, bytes);
  expect(await all).toMatch(new RegExp(`^HTTP/1.1 ${status}`));

  const next = await fetch(`http://${server.host}:${server.port}/webhook`, {
    method: "POST",
    body: BODY,
    headers: { "x-platform-webhooks-signature": signatureOf(BODY, SECRET) },
  });
  expect(next.status).toBe(200);
  await server.close();
});

it.each([
  { path: "/healthz", why: "it works", status: 200, answer: { status: "ok" } },
  {
    path: "/healthz",
    why: "it has to be started again",
    reason: "the disk is full",
    status: 503,
    answer: { status: "failing", reason: "the disk is full" },
  },
  {
    path: "/readyz",
    why: "nothing is missing",
    status: 200,
    answer: { status: "ready", missing: [] },
  },
  {
    path: "/readyz",
    why: "an account is not subscribed",
    missing: [{ part: "webhook", reason: "not registered yet" }],
    status: 503,
    answer: { status: "not-ready" },
  },
])(
  "answers $status at $path, since $why",
  async ({ path, reason, missing = [], status, answer }) => {
    const server = await serveWebhook({
      host: "127.0.0.1",
      port: 0,
      log: silent,
      missing: async () => missing,
      alive: async () => reason,
    });
    const answered = await fetch(`http://${server.host}:${server.port}${path}`);

    expect(answered.status).toBe(status);
    expect(await answered.json()).toMatchObject(answer);
    await server.close();
  },
);
