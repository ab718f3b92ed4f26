import { connect } from "node:net";
import { anything, assert, asyncProperty, constantFrom, object, oneof } from "fast-check";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

/** Sends raw bytes, and returns the server's answer, up to the end of the connection. */
function exchange(bytes: Buffer | string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(new URL(sandbox.url).port), "127.0.0.1", () => {
      socket.write(bytes);
      socket.end();
    });
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

test.each([
  { bytes: "\r\n\r\n\r\n", why: "empty lines" },
  { bytes: "GET\r\n\r\n", why: "half a request line" },
  { bytes: "GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", why: "two hosts" },
  { bytes: "GET /2/users HTTP/1.1\r\n\r\n", why: "no host" },
  { bytes: Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]), why: "the hello of TLS" },
  { bytes: "POST /2/posts HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n", why: "no length" },
  { bytes: `GET /${"a".repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, why: "a very long path" },
  {
    bytes: "POST /2/posts HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    why: "a broken chunk",
  },
])("ends a connection that sends $why, and lives", async ({ bytes }) => {
  const answer = await exchange(bytes);

  expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
  expect(await sandbox.control.get("/health")).toMatchObject({ status: "ok" });
});

it("drops a request whose body stays incomplete", async () => {
  const head = `POST /_sandbox/users HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${sandbox.control.token}\r\n`;

  await exchange(`${head}content-length: 500\r\n\r\n{"username":"half"`);

  expect(await sandbox.control.get("/users?username=half")).toMatchObject({ users: [] });
});

const CONTROLS = [
  ["PUT", "/state"],
  ["POST", "/faults"],
  ["POST", "/clock"],
  ["PATCH", "/settings"],
  ["POST", "/reset"],
] as const;

function tell(method: string, path: string, body: string): Promise<Response> {
  const authorization = `Bearer ${sandbox.control.token}`;
  const headers = { authorization, "content-type": "application/json" };
  return fetch(sandbox.control.url + path, { method, headers, body });
}

it("answers any JSON on the controls that change everything, 200 or 400", async () => {
  const body = oneof(
    anything(),
    object({ key: constantFrom("match", "fault", "when", "set", "limits", "tables", "version") }),
  );
  const property = asyncProperty(constantFrom(...CONTROLS), body, async ([verb, path], value) => {
    const text = JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === "bigint" ? String(inner) : inner,
    );
    const answer = await tell(verb, path, text ?? "");
    const response = await answer.text();
    const fits = answer.status === 200 || /^{"error":{"code":"\w+","message":"/.test(response);
    expect([answer.status, fits, response]).toEqual([
      answer.status === 200 ? 200 : 400,
      true,
      response,
    ]);
  });

  await assert(property, { numRuns: 1_500, endOnFailure: true });
});
