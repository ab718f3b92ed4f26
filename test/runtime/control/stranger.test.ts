import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callRuntime, RuntimeConnection } from "../../../src/runtime/control/call.ts";
import { proofOf } from "../../../src/runtime/control/proof.ts";
import { writeRunFile } from "../../../src/runtime/control/run-file.ts";
import { listen } from "../../../src/system/listen.ts";
import { run } from "../../support/command-line.ts";

const TOKEN = "the-token-of-run-json";
const ACCOUNT = {
  id: "1",
  username: "ana",
  accessToken: "1-access-token",
  accessTokenSecret: "the-account-secret",
};

let folder: string;
let stranger: Server;
let port: number;
let heard: string;
let answer: (socket: Socket, request: string) => void;
const sockets = new Set<Socket>();

/** Lets another program listen on the port that a killed bot had. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stranger-"));
  heard = "";
  stranger = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      answer(socket, chunk.toString());
    });
  });
  port = await listen(stranger, 0);
  await writeRunFile(folder, {
    pid: 2 ** 22 + 1,
    url: `http://127.0.0.1:${port}`,
    token: TOKEN,
    startedAt: "2026-01-01T00:00:00.000Z",
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => stranger.close(resolve));
  await rm(folder, { recursive: true });
});

function saying(body: string, status = "200 OK") {
  return (socket: Socket): void =>
    void socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
}

describe("a program that listens on the port of a bot that has ended", () => {
  it.each<{ how: string; says: typeof answer }>([
    { how: "says yes to everything", says: saying('{"subscribed":true}') },
    { how: "claims to have proven itself", says: saying('{"proof":"0"}') },
    {
      how: "gives back what it was asked",
      says: (socket, request) =>
        saying(JSON.stringify({ proof: /nonce=(\w+)/.exec(request)?.[1] }))(socket),
    },
    { how: "asks for the token", says: saying("{}", "401 Unauthorized") },
    { how: "sends it elsewhere", says: saying("", "302 Found\r\nlocation: /accounts") },
    { how: "speaks no HTTP", says: (socket) => void socket.write("SSH-2.0-other\r\n") },
    { how: "hangs up", says: (socket) => void socket.destroy() },
    { how: "never stops talking", says: saying("x".repeat(100_000)) },
  ])("and $how receives no token, and the command reports that", async ({ says }) => {
    answer = says;

    await expect(callRuntime(folder, "linkAccount", ACCOUNT)).rejects.toMatchObject({
      code: "control-unproven",
      message: expect.stringContaining(`127.0.0.1:${port}`),
      hint: expect.stringContaining("start the bot again"),
    });
    expect(heard).toMatch(/^GET \/identity/);
    expect(heard).not.toContain(TOKEN);
    expect(heard).not.toContain("1-access-token");
    expect(heard).not.toContain("account-secret");
  });

  it("receives nothing of any command", async () => {
    answer = saying("[]");
    for (const command of [["status"], ["journal"], ["outbox"], ["coverage"], ["doctor"]]) {
      const { code, err, out } = await run(folder, ...command, "--data", folder);

      expect(code).not.toBe(0);
      expect(err + out).toContain("is not the bot of");
    }
    expect(heard).not.toContain(TOKEN);
  });
});

it("a port without a listener means that no bot runs", async () => {
  await new Promise((resolve) => stranger.close(resolve));

  expect(await callRuntime(folder, "status", {})).toBeUndefined();
  stranger.listen(0, "127.0.0.1");
});

it.each<{ how: string; head: string; hangsUp: boolean }>([
  { how: "is killed once it has proven itself", head: "", hangsUp: true },
  { how: "keeps no connection", head: "\r\nconnection: close", hangsUp: false },
])(
  "a bot that $how does not run, and no command fails because of it",
  async ({ head, hangsUp }) => {
    answer = (socket, request) => {
      const nonce = /nonce=(\w+)/.exec(request)?.[1] ?? "";
      saying(JSON.stringify({ proof: proofOf(TOKEN, nonce) }), `200 OK${head}`)(socket);
      if (hangsUp) socket.destroySoon();
    };

    expect(await callRuntime(folder, "status", {})).toBeUndefined();
  },
);

describe("a bot of another version", () => {
  it("is called, and named in the error if its answer is unknown to this version", async () => {
    answer = (socket, request) => {
      const nonce = /nonce=(\w+)/.exec(request)?.[1];
      saying(nonce === undefined ? '{"up":true}' : `{"proof":"${proofOf(TOKEN, nonce)}"}`)(socket);
    };

    await expect(callRuntime(folder, "status", {})).rejects.toMatchObject({
      code: "control-refused",
      message: expect.stringContaining("the runtime's answer to GET /status could not be read"),
      hint: expect.stringContaining("restart the bot"),
    });
  });
});

describe("a bot that is called several times", () => {
  it("proves itself once, and again after a lost connection", async () => {
    const requests: string[] = [];
    answer = (socket, request) => {
      const [, path = ""] = /^GET (\/\w+)/.exec(request) ?? [];
      requests.push(path);
      const nonce = /nonce=(\w+)/.exec(request)?.[1] ?? "";
      const body = path === "/identity" ? { proof: proofOf(TOKEN, nonce) } : [];
      saying(JSON.stringify(body))(socket);
    };
    const runtime = new RuntimeConnection(folder);

    const first = [await runtime.call("journal", {}), await runtime.call("journal", {})];
    for (const socket of sockets) socket.destroy();
    const lost = await runtime.call("journal", {});
    const after = await runtime.call("journal", {});
    runtime.close();

    expect({ first, lost, after }).toEqual({ first: [[], []], lost: undefined, after: [] });
    expect(requests).toEqual(["/identity", "/journal", "/journal", "/identity", "/journal"]);
  });
});
