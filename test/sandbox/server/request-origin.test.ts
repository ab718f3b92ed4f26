import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { challengeFor, originOf } from "../../../src/sandbox/server/read-caller.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

const BASE = "http://127.0.0.1:80";

describe("the origin of a request", () => {
  test.each([
    { host: "127.0.0.1:4000", origin: "http://127.0.0.1:4000", why: "it is the sandbox's own" },
    { host: "localhost", origin: "http://localhost", why: "loopback has a name" },
    { host: "[::1]:4000", origin: "http://[::1]:4000", why: "loopback has a newer address" },
    { host: "api.example.com", origin: "https://api.example.com", why: "others use TLS" },
    { host: "api.example:8443", origin: "https://api.example:8443", why: "others have ports" },
    { host: "a/b", origin: BASE, why: "it is no host" },
    { host: undefined, origin: BASE, why: "it is missing" },
  ])("is $origin for $host, because $why", ({ host, origin }) => {
    expect(originOf({ headers: host === undefined ? {} : { host } }, BASE)).toBe(origin);
  });
});

test.each([
  { authorization: "Bearer x", scheme: "Bearer" },
  { authorization: "basic eDp5", scheme: "Basic" },
  { authorization: 'OAuth oauth_token="x"', scheme: "OAuth" },
  { authorization: undefined, scheme: "OAuth" },
])("a refused caller with $authorization is asked for $scheme", ({ authorization, scheme }) => {
  const headers = authorization === undefined ? {} : { authorization };
  expect(challengeFor({ headers }, BASE)).toBe(`${scheme} realm="${BASE}"`);
});

describe("a response over the wire", () => {
  let fixture: TestSandbox;
  beforeAll(async () => {
    fixture = await startTestSandbox();
  });
  afterAll(() => fixture.close());

  /** Sends a request under another host, as clients with a fixed host do. */
  async function underHost(host: string, path: string, authorization: string) {
    const url = new URL(path, fixture.sandbox.url);
    return new Promise<{ status: number; challenge: unknown; body: string }>((resolve, reject) => {
      const sent = request(url, { headers: { host, authorization } }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            challenge: response.headers["www-authenticate"],
            body,
          }),
        );
      });
      sent.once("error", reject).end();
    });
  }

  it("has problem types of the host that the client used, in whole and partial errors", async () => {
    const bearer = `Bearer ${fixture.app.bearer_token}`;
    const whole = await underHost("api.example.com", "/2/posts/1", bearer);
    const partial = await underHost("api.example.com", `/2/users?ids=${fixture.bot},1`, bearer);
    const type = "https://api.example.com/2/problems/resource-not-found";

    expect([whole.status, partial.status]).toEqual([404, 200]);
    for (const { body } of [whole, partial]) expect(body).toContain(`"type":"${type}"`);
  });

  test.each(["/2/posts/1", "/1.1/statuses/home_timeline.json", "/ads/12/accounts/a/app_lists"])(
    "with status 401 from %s names the scheme to use",
    async (path) => {
      const refused = await underHost("api.example.com", path, "Bearer wrong");

      expect(refused).toMatchObject({
        status: 401,
        challenge: 'Bearer realm="https://api.example.com"',
      });
    },
  );

  it("with another status names none", async () => {
    const refused = await underHost(
      "x.example",
      "/2/nothing",
      `Bearer ${fixture.app.bearer_token}`,
    );

    expect(refused).toMatchObject({ status: 404, challenge: undefined });
  });
});
