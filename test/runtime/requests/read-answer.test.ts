import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import type { HttpOutcome, HttpRequest } from "../../../src/rules/run/http-request.ts";
import { allowedHosts } from "../../../src/runtime/requests/allowed-hosts.ts";
import { sendRequest } from "../../../src/runtime/requests/send-request.ts";

interface Served {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

let server: Server;
let served: Served = { body: "", headers: {} };

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", ...served.headers });
    response.end(served.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Requests an answer of the service. */
function answer(
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  method: HttpRequest["method"] = "GET",
): Promise<HttpOutcome> {
  served = { body, headers };
  const { port } = server.address() as AddressInfo;
  const allowed = allowedHosts([`127.0.0.1:${port}`]);
  return sendRequest({ method, url: `http://127.0.0.1:${port}/`, headers: {} }, { allowed });
}

const STATE = '{"state":"größer"}';

test.each([
  { coding: "gzip", body: gzipSync(STATE) },
  { coding: "X-GZIP", body: gzipSync(STATE) },
  { coding: "deflate", body: deflateSync(STATE) },
  { coding: "br", body: brotliCompressSync(STATE) },
  { coding: "br, gzip", body: gzipSync(brotliCompressSync(STATE)) },
  { coding: "identity", body: STATE },
  { coding: "UTF-8", body: STATE },
])("an answer with the coding $coding is decompressed", async ({ coding, body }) => {
  expect(await answer(body, { "content-encoding": coding })).toMatchObject({
    ok: true,
    text: STATE,
    json: { state: "größer" },
  });
});

it("the answer to a HEAD request has no body to decompress", async () => {
  expect(await answer("", { "content-encoding": "gzip" }, "HEAD")).toMatchObject({
    ok: true,
    text: "",
  });
});

test.each([
  { bytes: 256 * 1024, outcome: { ok: true } },
  { bytes: 256 * 1024 + 1, outcome: { ok: false, code: "http-too-long" } },
  { bytes: 50_000_000, outcome: { ok: false, code: "http-too-long" } },
])("$bytes bytes after decompression: $outcome", async ({ bytes, outcome }) => {
  const body = gzipSync("x".repeat(bytes));

  expect(await answer(body, { "content-encoding": "gzip" })).toMatchObject(outcome);
});

it("damaged compressed data fails the request", async () => {
  const body = gzipSync(STATE).subarray(0, 20);

  expect(await answer(body, { "content-encoding": "gzip" })).toMatchObject({ code: "http-failed" });
});

test.each([
  { type: "text/plain; charset=iso-8859-1", body: Buffer.from("Grüße", "latin1") },
  { type: 'text/html;Charset="ISO-8859-1"; a=b', body: Buffer.from("Grüße", "latin1") },
  { type: "text/plain; charset=utf-16le", body: Buffer.from("Grüße", "utf16le") },
  { type: "text/plain; charset=utf8", body: "Grüße" },
  { type: "text/plain; charset=none", body: "Grüße" },
  { type: "text/plain", body: "\ufeffGrüße" },
])("an answer of the type $type is decoded", async ({ type, body }) => {
  expect(await answer(body, { "content-type": type })).toMatchObject({ text: "Grüße" });
});

it("JSON after a byte order mark is read", async () => {
  expect(await answer(`\ufeff${STATE}`)).toMatchObject({ json: { state: "größer" } });
});

test.each([
  { levels: 100, isRead: true },
  { levels: 101, isRead: false },
  { levels: 100_000, isRead: false },
])("JSON of $levels levels is read: $isRead", async ({ levels, isRead }) => {
  const outcome = await answer("[".repeat(levels) + "]".repeat(levels));

  expect(outcome).toMatchObject({ ok: true });
  expect("json" in outcome).toBe(isRead);
});

const DATE = "Sun, 29 Nov 2026 08:00:00 GMT";

test.each([
  { after: "30", ms: 30_000 },
  { after: "0", ms: 0 },
  { after: "Sun, 29 Nov 2026 08:01:00 GMT", ms: 60_000 },
  { after: "Sun, 29 Nov 2026 07:00:00 GMT", ms: 0 },
  { after: "soon", ms: undefined },
  { after: "", ms: undefined },
])("the header retry-after $after asks for a pause of $ms ms", async ({ after, ms }) => {
  const outcome = await answer("", { "retry-after": after, date: DATE });

  expect("retryAfterMs" in outcome ? outcome.retryAfterMs : undefined).toBe(ms);
});

test.each([
  { body: '{"id":1234567890123456789}', json: { id: "1234567890123456789" } },
  { body: '{"id":-1234567890123456789}', json: { id: "-1234567890123456789" } },
  { body: "[9007199254740991, 9007199254740993]", json: [9007199254740991, "9007199254740993"] },
  { body: "1234567890123456789", json: "1234567890123456789" },
  {
    body: '{"12345678901234567890":"\\"1234567890123456789\\\\","a":1234567890123456789}',
    json: { "12345678901234567890": '"1234567890123456789\\', a: "1234567890123456789" },
  },
  {
    body: "[0.1234567890123456789, 1e3, 1E+20, 12345678901234567890.5]",
    json: [0.12345678901234568, 1000, 1e20, 12345678901234567000],
  },
])("the JSON $body has all digits of its whole numbers", async ({ body, json }) => {
  expect(await answer(body)).toMatchObject({ ok: true, text: body, json });
});
