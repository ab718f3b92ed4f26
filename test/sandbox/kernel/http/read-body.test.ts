import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BodyReader } from "../../../../src/sandbox/server/read-body.ts";
import { ApiError } from "../../../../src/sandbox/kernel/http/api-error.ts";
import { when } from "../../../support/when.ts";

const RULES = { maxBytes: 1_000, deadlineMs: 60_000, counted: true };

let server: Server;
let releases: (() => void)[];
const senders: ClientRequest[] = [];
beforeEach(async () => {
  const reader = new BodyReader(1_500);
  releases = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      releases.push((await reader.read(request, RULES)).release);
    } catch (error) {
      response.statusCode = error instanceof ApiError ? error.spec.status : 500;
    }
    response.end();
  };
  server = createServer((request, response) => {
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const sender of senders.splice(0)) sender.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function post(bytes: number): Promise<number> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sender = send({ port, host: "127.0.0.1", method: "POST", agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    senders.push(sender);
    sender.once("error", reject);
    sender.end(Buffer.alloc(bytes));
  });
}

it("holds bodies within a size for all of them together, and gives the room back", async () => {
  expect(await post(1_000)).toBe(200);
  expect(await post(400)).toBe(200);
  expect(await post(200)).toBe(503);

  for (const release of releases.splice(0)) release();
  expect(await post(1_000)).toBe(200);
});

it("gives back the room of a body that broke off", async () => {
  const { port } = server.address() as AddressInfo;
  const half = send({ port, host: "127.0.0.1", method: "POST", agent: false });
  half.on("error", () => undefined);
  half.setHeader("content-length", 1_000);
  half.write(Buffer.alloc(900));
  const answered = (status: number) => async (): Promise<true | undefined> => {
    const isSo = (await post(700)) === status;
    for (const release of releases.splice(0)) release();
    return isSo ? true : undefined;
  };
  await when(answered(503));

  half.destroy();

  expect(await when(answered(200))).toBe(true);
});
