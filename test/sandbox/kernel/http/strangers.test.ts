import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../support/test-sandbox.ts";

const MIB = 1024 * 1024;

let fixture: TestSandbox;
const sockets: Socket[] = [];
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await fixture.close();
});

/** Sends the lines before a body, then the given part of the body; returns the first line of the response. */
function begin(method: string, path: string, headers: string[], body = ""): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(fixture.sandbox.url).port), "127.0.0.1", () => {
      socket.write([`${method} ${path} HTTP/1.1`, "host: a", ...headers, "", body].join("\r\n"));
    });
    sockets.push(socket);
    socket.once("data", (chunk) => resolve(chunk.toString("latin1").split("\r\n")[0] ?? ""));
    socket.once("error", reject);
    socket.once("close", () => resolve("closed without an answer"));
  });
}

const JSON_OF = (bytes: number): string[] => [
  "content-type: application/json",
  `content-length: ${bytes}`,
];

describe("before a body is read", () => {
  test.each([
    { method: "PUT", path: "/_sandbox/state", why: "of the control interface", says: "401" },
    { method: "POST", path: "/_sandbox/nowhere", why: "of no route of it", says: "404" },
    { method: "POST", path: "/2/nowhere", why: "of no route", says: "404" },
    { method: "PATCH", path: "/2/posts", why: "of another method", says: "405" },
    { method: "POST", path: "/2/posts", why: "that nobody signed", says: "401" },
  ])("$method $path, a request $why, is answered $says", async ({ method, path, says }) => {
    // The body was announced and never comes.
    const line = await begin(method, path, ["authorization: Bearer a-guess", ...JSON_OF(MIB / 2)]);

    expect(line).toContain(says);
  });
});

describe("a body", () => {
  test.each([
    { path: "/2/webhooks", bytes: MIB + 1, why: "more than 1 MiB", as: "app" },
    { path: "/_sandbox/users", bytes: MIB + 1, why: "the same on the controls", as: "control" },
    { path: "/2/media/upload", bytes: 24 * MIB + 1, why: "more than a medium", as: "app" },
    {
      path: "/oauth2/token",
      bytes: 64 * 1024 + 1,
      why: "more than a stranger may send",
      as: "nobody",
    },
  ] as const)("of $bytes bytes for $path is answered 413: $why", async ({ path, bytes, as }) => {
    const answer = await fetch(fixture.sandbox.url + path, {
      method: "POST",
      headers: {
        "content-type": as === "nobody" ? "application/x-www-form-urlencoded" : "application/json",
        ...(as === "nobody" ? {} : { authorization: `Bearer ${tokenOf(as)}` }),
      },
      body: Buffer.alloc(bytes, "a"),
    });

    expect(answer.status).toBe(413);
  });

  it("without an announced length is answered with 413, too", async () => {
    const chunk = "a".repeat(MIB);
    const body = `${MIB.toString(16)}\r\n${chunk}\r\n${MIB.toString(16)}\r\n${chunk}\r\n`;

    const line = await begin(
      "POST",
      "/2/webhooks",
      [
        `authorization: Bearer ${fixture.app.bearer_token}`,
        "content-type: application/json",
        "transfer-encoding: chunked",
      ],
      body,
    );

    expect(line).toContain("413");
  });

  test.each([
    { type: "application/json", body: `{"url":[${"1,".repeat(20_000)}1]}`, why: "values" },
    { type: "application/x-www-form-urlencoded", body: "a=1&".repeat(2_000), why: "fields" },
    {
      type: "multipart/form-data; boundary=b",
      body: `${'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(200)}--b--\r\n`,
      why: "parts",
    },
  ])("of too many $why is answered 413 before any of them is looked at", async (body) => {
    const answer = await fetch(`${fixture.sandbox.url}/2/webhooks`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${fixture.app.bearer_token}`,
        "content-type": body.type,
      },
      body: body.body,
    });

    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ title: "Payload Too Large" });
  });

  it("that does not arrive in time is answered with 408", async () => {
    await fixture.sandbox.control.call("PATCH", "/settings", { timeouts: { body_ms: 200 } });
    const line = await begin(
      "POST",
      "/2/webhooks",
      [`authorization: Bearer ${fixture.app.bearer_token}`, ...JSON_OF(100)],
      '{"url"',
    );

    expect(line).toContain("408");
  });
});

function tokenOf(as: "app" | "control"): string {
  return as === "app" ? fixture.app.bearer_token : fixture.sandbox.control.token;
}

describe("every response", () => {
  test.each(["/2/users/me", "/_sandbox/health", "/oauth/request_token", "/nowhere"])(
    "of %s runs nothing, is taken for nothing else and shown in no frame",
    async (path) => {
      const { headers } = await fetch(fixture.sandbox.url + path);

      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    },
  );
});

describe("a request that is not valid HTTP", () => {
  test.each([
    {
      why: "a character that has to be percent-encoded",
      path: "/2/users/é",
      headers: [],
      says: 400,
    },
    { why: "a header line without a colon", path: "/2/users", headers: ["nonsense"], says: 400 },
    {
      why: "header lines of more than 16 KiB",
      path: "/2/users",
      headers: [`x-long: ${"x".repeat(20_000)}`],
      says: 431,
    },
  ])("is answered although its body is still being sent: $why", async ({ path, headers, says }) => {
    const answer = await answerTo("POST", path, [...headers, ...JSON_OF(MIB)], "x".repeat(MIB));

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${says} .*\r\nconnection: close\r\n\r\n$`, "is"));
  });
});

/** Sends a whole request; returns everything that arrives until the server ends the connection. */
function answerTo(method: string, path: string, headers: string[], body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(fixture.sandbox.url).port), "127.0.0.1", () => {
      socket.write([`${method} ${path} HTTP/1.1`, "host: a", ...headers, "", body].join("\r\n"));
    });
    sockets.push(socket);
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString("latin1")));
    socket.once("error", reject);
    socket.once("end", () => resolve(answer));
  });
}
