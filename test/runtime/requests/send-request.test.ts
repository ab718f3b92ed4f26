import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { HttpRequest } from "../../../src/rules/run/http-request.ts";
import { allowedHosts } from "../../../src/runtime/requests/allowed-hosts.ts";
import { dryRequests, sendRequest } from "../../../src/runtime/requests/send-request.ts";
import { openLog } from "../../../src/runtime/log.ts";

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let server: Server;
let port = 0;
const seen: Seen[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const target = new URL(url, "http://a").searchParams;
      const [status, to] = [Number(target.get("status") ?? 200), target.get("to")];
      if (url.startsWith("/silent")) return;
      if (url === "/loop") return void response.writeHead(302, { location: "/loop" }).end();
      const hop = /^\/hop\/(\d+)$/.exec(url)?.[1];
      if (hop !== undefined && hop !== "0") {
        return void response.writeHead(302, { location: `/hop/${Number(hop) - 1}` }).end();
      }
      const bytes = target.get("bytes");
      if (bytes !== null) return void response.end("x".repeat(Number(bytes)));
      if (url.startsWith("/long")) return void response.end("x".repeat(300 * 1024));
      const type = url.startsWith("/text") ? "text/plain" : "application/json";
      response.writeHead(status, {
        "content-type": type,
        ...(to === null ? {} : { location: to }),
      });
      response.end(url.startsWith("/broken") ? "{" : '{"state":"shipped"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = isBound(address) ? address.port : 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function isBound(address: unknown): address is AddressInfo {
  return typeof address === "object" && address !== null;
}

const get = (url: string, over: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  ...over,
});
const here = (path: string) => `http://127.0.0.1:${port}${path}`;
const allowing = (...allow: string[]) => ({ allowed: allowedHosts(allow) });
const local = () => allowing(`127.0.0.1:${port}`);

describe("a request to a service", () => {
  it("sends method, headers and body, and reads status, text and JSON", async () => {
    const response = get(here("/a?b=1"), {
      method: "POST",
      headers: { authorization: "Bearer s" },
      body: "{}",
    });

    expect(await sendRequest(response, local())).toEqual({
      ok: true,
      status: 200,
      text: '{"state":"shipped"}',
      json: { state: "shipped" },
    });
    expect(seen.at(-1)).toMatchObject({
      method: "POST",
      url: "/a?b=1",
      headers: { authorization: "Bearer s" },
      body: "{}",
    });
  });

  test.each([
    { path: "/?status=404", expectStatus: undefined, ok: false },
    { path: "/?status=404", expectStatus: [200, 404], ok: true },
    { path: "/?status=200", expectStatus: [404], ok: false },
  ])(
    "$path with $expectStatus expected is ok: $ok, and its answer is available anyway",
    async ({ path, expectStatus, ok }) => {
      const outcome = await sendRequest(get(here(path), expectStatus && { expectStatus }), local());

      const failed = ok ? {} : { code: "http-status" };
      expect(outcome).toMatchObject({ ok, json: { state: "shipped" }, ...failed });
    },
  );

  test.each([{ path: "/broken" }, { path: "/text" }])(
    "$path has a text and no JSON",
    async ({ path }) => {
      const outcome = await sendRequest(get(here(path)), local());

      expect(outcome).toMatchObject({ ok: true, status: 200 });
      expect(outcome).not.toHaveProperty("json");
    },
  );

  it("fails with a message if the answer is too long or does not arrive", async () => {
    expect(await sendRequest(get(here("/long")), local())).toMatchObject({ code: "http-too-long" });
    expect(await sendRequest(get(here("/silent")), { ...local(), timeoutMs: 50 })).toEqual({
      ok: false,
      code: "http-timeout",
      error: "no answer within 50 ms",
    });
  });
});

const named = (...addresses: string[]) => ({ resolve: async () => addresses });

/** Connects to this test's server, and records the addresses to which the request would have connected. */
function dialling() {
  const dialled: string[][] = [];
  const connector = (lookup: LookupFunction): buildConnector.connector => {
    const toHere = buildConnector({});
    return (options, callback) => {
      lookup(options.hostname, { all: true }, (_error, addresses) => {
        dialled.push(
          typeof addresses === "string" ? [addresses] : addresses.map(({ address }) => address),
        );
        toHere({ ...options, hostname: "127.0.0.1", port: String(port) }, callback);
      });
    };
  };
  return { dialled, connector };
}

describe("the text of an answer", () => {
  test.each([
    { bytes: 256 * 1024, outcome: { ok: true, status: 200 } },
    { bytes: 256 * 1024 + 1, outcome: { ok: false, code: "http-too-long" } },
  ])("of $bytes bytes is $outcome", async ({ bytes, outcome }) => {
    expect(await sendRequest(get(here(`/?bytes=${bytes}`)), local())).toMatchObject(outcome);
  });
});

it("names the toolkit as the user agent, unless the rule names another", async () => {
  await sendRequest(get(here("/a")), local());
  expect(seen.at(-1)?.headers["user-agent"]).toMatch(/^answerback\/\d/);

  await sendRequest(get(here("/a"), { headers: { "user-agent": "shop" } }), local());
  expect(seen.at(-1)?.headers["user-agent"]).toBe("shop");
});

describe("the time limit of a request", () => {
  it("includes the look-up of the host's name", async () => {
    const resolve = () => new Promise<never>(() => {});
    const options = { ...allowing("api.example.com"), resolve, timeoutMs: 20 };

    expect(await sendRequest(get("https://api.example.com/"), options)).toMatchObject({
      code: "http-timeout",
    });
  });

  it("includes the connection", { timeout: 5_000 }, async () => {
    const connector = () => () => {};
    const options = { ...allowing("api.example.com"), ...named("93.184.216.34"), connector };

    expect(
      await sendRequest(get("https://api.example.com/"), { ...options, timeoutMs: 20 }),
    ).toMatchObject({ code: "http-timeout" });
  });

  it("is the only one for the headers and the body of an answer", async () => {
    const limits: unknown[] = [];
    const record = (message: unknown) => limits.push(message);
    subscribe("undici:request:create", record);
    await sendRequest(get(here("/a")), { ...local(), timeoutMs: 600_000 });
    unsubscribe("undici:request:create", record);

    expect(limits).toMatchObject([{ request: { headersTimeout: 0, bodyTimeout: 0 } }]);
  });

  test.each([30, 60])("may be %i days", async (days) => {
    const timeoutMs = days * 24 * 60 * 60_000;

    expect(await sendRequest(get(here("/a")), { ...local(), timeoutMs })).toMatchObject({
      ok: true,
    });
  });
});

describe("the address of a request", () => {
  test.each([
    { why: "a user name", url: "http://ana@127.0.0.1/" },
    { why: "a password", url: "http://:p@127.0.0.1/" },
    { why: "no host", url: "http://" },
  ])("is refused if it has $why", async ({ url }) => {
    expect(await sendRequest(get(url), local())).toMatchObject({ ok: false, code: "http-url" });
  });

  it("may contain an @ in its path and its query", async () => {
    const outcome = await sendRequest(get(here("/@ana?of=a@b.example")), local());

    expect(outcome).toMatchObject({ ok: true });
  });
});

describe("a listed name", () => {
  const [PUBLIC, PUBLIC_6] = ["93.184.216.34", "2606:4700::6810:84e5"];

  test.each([
    { why: "a public address", addresses: [PUBLIC], dials: [PUBLIC] },
    {
      why: "public addresses of both families",
      addresses: [PUBLIC_6, PUBLIC],
      dials: ["2606:4700:0:0:0:0:6810:84e5", PUBLIC],
    },
    {
      why: "public and private ones, of which only the public are connected to",
      addresses: ["10.0.0.1", PUBLIC, "127.0.0.1", "fe80::1%eth0"],
      dials: [PUBLIC],
    },
    { why: "a public address in an IPv6 one", addresses: [`::ffff:${PUBLIC}`], dials: [PUBLIC] },
  ])("is connected to if it stands for $why", async ({ addresses, dials }) => {
    const { dialled, connector } = dialling();

    const outcome = await sendRequest(get("http://api.example.com/orders"), {
      ...allowing("api.example.com"),
      ...named(...addresses),
      connector,
    });

    expect(outcome).toMatchObject({ ok: true, status: 200, json: { state: "shipped" } });
    expect(seen.at(-1)).toMatchObject({ url: "/orders", headers: { host: "api.example.com" } });
    expect(dialled).toEqual([dials]);
  });

  test.each([
    { why: "a private address", addresses: ["10.0.0.1"] },
    { why: "this machine, in hexadecimal", addresses: ["::ffff:7f00:1"] },
    { why: "an address with a zone", addresses: ["fe80::1%eth0", "2606:4700::1%eth0"] },
    { why: "nothing", addresses: [] },
  ])("is not connected to if it stands for $why", async ({ addresses }) => {
    const { dialled, connector } = dialling();

    const outcome = await sendRequest(get("http://api.example.com/"), {
      ...allowing("api.example.com"),
      ...named(...addresses),
      connector,
    });

    expect(outcome).toMatchObject({ ok: false, code: "http-not-allowed" });
    expect(dialled).toEqual([]);
  });

  test.each([
    { why: "a public address is followed", second: PUBLIC, ok: true, dials: [[PUBLIC], [PUBLIC]] },
    { why: "a private address is not", second: "192.168.1.1", ok: false, dials: [[PUBLIC]] },
  ])("that redirects to a name of $why", async ({ second, ok, dials }) => {
    const { dialled, connector } = dialling();
    const response = get(
      `http://a.example/?status=302&to=${encodeURIComponent("http://b.example/b")}`,
    );

    const outcome = await sendRequest(response, {
      ...allowing("a.example", "b.example"),
      resolve: async (name) => [name === "a.example" ? PUBLIC : second],
      connector,
    });

    expect(outcome).toMatchObject(ok ? { ok } : { ok, code: "http-not-allowed" });
    expect(dialled).toEqual(dials);
  });
});

describe("a request through a proxy", () => {
  beforeEach(() => {
    vi.stubEnv("http_proxy", `http://ana:pw@127.0.0.1:${port}`);
    vi.stubEnv("no_proxy", "direct.example");
  });
  afterEach(() => vi.unstubAllEnvs());

  const unknown = async () => Promise.reject(new Error("getaddrinfo ENOTFOUND api.example.com"));
  test.each([
    { why: "this machine resolves the name", resolve: async () => ["93.184.216.34"] },
    { why: "this machine can't resolve the name", resolve: unknown },
  ])("is sent to the proxy if $why", async ({ resolve }) => {
    const response = get("http://api.example.com/orders", { headers: { authorization: "s" } });

    expect(await sendRequest(response, { ...allowing("api.example.com"), resolve })).toMatchObject({
      ok: true,
      json: { state: "shipped" },
    });
    expect(seen.at(-1)).toMatchObject({
      url: "http://api.example.com/orders",
      headers: {
        host: "api.example.com",
        authorization: "s",
        "proxy-authorization": "Basic YW5hOnB3",
      },
    });
  });

  test.each([
    { why: "a host that is not listed", url: "http://b.example/", addresses: ["93.184.216.34"] },
    { why: "a private address", url: "http://api.example.com/", addresses: ["10.0.0.1"] },
    {
      why: "a private address beside a public one",
      url: "http://api.example.com/",
      addresses: ["93.184.216.34", "10.0.0.1"],
    },
    { why: "an address that is not listed", url: "http://10.0.0.1/", addresses: [] },
  ])("is refused for $why", async ({ url, addresses }) => {
    const before = seen.length;

    expect(
      await sendRequest(get(url), { ...allowing("api.example.com"), ...named(...addresses) }),
    ).toMatchObject({ ok: false, code: "http-not-allowed" });
    expect(seen).toHaveLength(before);
  });

  it("is sent directly to a host in NO_PROXY", async () => {
    const { dialled, connector } = dialling();

    await sendRequest(get("http://direct.example/"), {
      ...allowing("direct.example"),
      ...named("93.184.216.34"),
      connector,
    });
    expect(dialled).toEqual([["93.184.216.34"]]);
  });
});

describe("a request that is not allowed", () => {
  test.each([
    { why: "a host that is not listed", url: () => here("/"), allow: ["api.example.com"] },
    { why: "another port of a listed host", url: () => here("/"), allow: ["127.0.0.1:1"] },
    { why: "a file", url: () => "file:///etc/passwd", allow: [""] },
    {
      why: "an address of the cloud's own",
      url: () => "http://169.254.169.254/",
      allow: ["a.example"],
    },
  ])("is refused before anything is sent: $why", async ({ url, allow }) => {
    const before = seen.length;

    expect(await sendRequest(get(url()), allowing(...allow))).toMatchObject({
      code: "http-not-allowed",
    });
    expect(seen).toHaveLength(before);
  });

  test.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "fe80::1",
    "fd00::1",
    "64:ff9b::7f00:1",
  ])("has a listed name with the address %s", async (address) => {
    const outcome = await sendRequest(get(`http://api.example.com:${port}/`), {
      ...allowing(`api.example.com:${port}`),
      ...named(address),
    });

    expect(outcome).toMatchObject({ ok: false, code: "http-not-allowed" });
  });

  it("is allowed if the address itself is listed, which is then connected to", async () => {
    const outcome = await sendRequest(get(`http://api.example.com:${port}/named`), {
      ...allowing(`api.example.com:${port}`, `127.0.0.1:${port}`),
      ...named("127.0.0.1"),
    });

    expect(outcome).toMatchObject({ ok: true });
    expect(seen.at(-1)).toMatchObject({
      url: "/named",
      headers: { host: `api.example.com:${port}` },
    });
  });
});

test.each([
  { url: "hunter2hunter2", code: "http-url" },
  { url: "https://hunter2hunter2.example/", code: "http-not-allowed" },
  { url: "hunter2hunter2://a.example/", code: "http-not-allowed" },
  { url: "https://hunter2:hunter2@a.example/", code: "http-url" },
])("an error for $code quotes the URL as the rule writes it", async ({ url, code }) => {
  const written = "${{ secrets.SHOP }}";
  const secret = { url: written, headers: [], body: false };
  const outcome = await sendRequest(get(url, { secret }), local());

  expect(outcome).toMatchObject({ ok: false, code, error: expect.stringContaining(written) });
  expect(JSON.stringify(outcome)).not.toContain("hunter2");
});

describe("a redirect", () => {
  const to = (url: string, status = 302) =>
    here(`/?status=${status}&to=${encodeURIComponent(url)}`);

  it("is followed to an allowed host, a POST as a GET without its body", async () => {
    const response = get(to("/landed", 303), {
      method: "POST",
      headers: { authorization: "s" },
      body: "x",
    });

    expect(await sendRequest(response, local())).toMatchObject({ ok: true, status: 200 });
    expect(seen.at(-1)).toMatchObject({
      method: "GET",
      url: "/landed",
      body: "",
      headers: { authorization: "s" },
    });
  });

  it("sends no credentials to another host", async () => {
    const response = get(to(`http://other.example:${port}/there`), {
      headers: { authorization: "s", cookie: "c", "x-a": "1" },
    });
    const options = {
      ...allowing(`127.0.0.1:${port}`, `other.example:${port}`),
      resolve: async () => ["127.0.0.1"],
    };

    expect(await sendRequest(response, options)).toMatchObject({ ok: true });
    const { headers } = seen.at(-1) ?? { headers: {} };
    expect(headers).toMatchObject({ "x-a": "1" });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  });

  const elsewhere = () => ({
    ...allowing(`127.0.0.1:${port}`, `other.example:${port}`),
    resolve: async () => ["127.0.0.1"],
  });

  test.each(["x-api-key", "api-key", "x-auth", "x-shop-token", "x-client-secret", "key"])(
    "sends %s to no other origin",
    async (name) => {
      const response = get(to(`http://other.example:${port}/key`), { headers: { [name]: "s" } });

      expect(await sendRequest(response, elsewhere())).toMatchObject({ ok: true });
      expect(seen.at(-1)?.headers).not.toHaveProperty(name);
    },
  );

  it("sends another origin's own name as the host", async () => {
    const response = get(to(`http://other.example:${port}/host`), { headers: { host: "shop" } });

    expect(await sendRequest(response, elsewhere())).toMatchObject({ ok: true });
    expect(seen.at(-1)?.headers.host).toBe(`other.example:${port}`);
  });

  it("to something that is no URL is not followed", async () => {
    expect(await sendRequest(get(to("http://")), local())).toMatchObject({
      code: "http-redirects",
      error: "redirected to something that is no URL",
    });
  });

  it("sends no header with a secret to another origin", async () => {
    const secret = { headers: ["x-a"], body: false };
    const headers = { "x-a": "s", "x-b": "b", "idempotency-key": "i" };
    const response = get(to(`http://other.example:${port}/marked`), { headers, secret });

    expect(await sendRequest(response, elsewhere())).toMatchObject({ ok: true });
    expect(seen.at(-1)?.headers).toMatchObject({ "x-b": "b", "idempotency-key": "i" });
    expect(seen.at(-1)?.headers).not.toHaveProperty("x-a");
  });

  it("sends no body with a secret to another origin", async () => {
    const secret = { headers: [], body: true };
    const url = to(`http://other.example:${port}/body`, 307);
    const response = get(url, { method: "POST", body: "s", secret });
    const before = seen.length;

    expect(await sendRequest(response, elsewhere())).toMatchObject({ code: "http-redirects" });
    expect(seen.slice(before).map(({ url: one }) => one)).not.toContain("/body");
  });

  test.each([
    { why: "not listed", target: "http://evil.example/" },
    { why: "of this machine", target: "http://127.0.0.1:1/" },
  ])("to a host is not followed: $why", async ({ target }) => {
    expect(await sendRequest(get(to(target)), local())).toMatchObject({
      ok: false,
      code: "http-not-allowed",
    });
  });

  test.each([
    { hops: 5, outcome: { ok: true, status: 200 } },
    { hops: 6, outcome: { ok: false, code: "http-redirects" } },
  ])("is one of $hops: $outcome", async ({ hops, outcome }) => {
    expect(await sendRequest(get(here(`/hop/${hops}`)), local())).toMatchObject(outcome);
  });

  it("is not followed endlessly", async () => {
    expect(await sendRequest(get(here("/loop")), local())).toMatchObject({
      code: "http-redirects",
    });
  });
});

it("a dry run logs the URL as the rule writes it if it has a secret", async () => {
  const lines: string[] = [];
  const log = openLog({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const send = () => Promise.reject(new Error("a dry run sends no POST"));
  const url = "https://hooks.example/${{ secrets.SHOP.substring(4) }}";
  const secret = { url, headers: [], body: false };
  const request = get("https://hooks.example/ter2hunter2", { method: "POST", secret });

  await dryRequests(send, log)(request, undefined);

  expect(lines.join("")).toContain(`would request: POST ${url}`);
  expect(lines.join("")).not.toContain("ter2");
});
