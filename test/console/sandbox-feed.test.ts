import { createServer, type Server, type ServerResponse } from "node:http";
import express from "express";
import { afterEach, describe, expect, it } from "vitest";
import { liveStream } from "../../src/console/live/live-stream.ts";
import { sandboxFeed } from "../../src/console/live/sandbox-feed.ts";
import type { Listen } from "../../src/config/settings.ts";
import { ownAddress } from "../support/own-address.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/**
 * Starts a server with a sandbox's event stream. `tell` sends an event; events are numbered from 1, as in a new sandbox
 * process.
 */
async function startFeed({ host, port }: Listen) {
  const followers = new Set<ServerResponse>();
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": feed\n\n");
    followers.add(response);
  });
  await new Promise<void>((resolve) => void server.listen(port, host, resolve));
  let seq = 0;
  const stop = () => stopped(server);
  closing.push(stop);
  const tell = (text: string) => {
    seq += 1;
    const data = JSON.stringify({ text });
    for (const one of followers) one.write(`id: ${seq}\nevent: told\ndata: ${data}\n\n`);
  };
  return { stop, tell };
}

async function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => void server.close(resolve));
}

/** Follows the event stream of the console. `next` resolves with the next line that is not a heartbeat. */
async function openPage(sandbox: Listen) {
  const control = { url: `http://${sandbox.host}:${sandbox.port}`, token: "t" };
  const stream = liveStream({ runtime: undefined, sandbox: sandboxFeed({ control }) });
  const app = express();
  app.get("/", (request, response) => stream.answer(request, response, { role: "operator" }));
  const at = await ownAddress();
  const server = createServer(app);
  await new Promise<void>((resolve) => void server.listen(at.port, at.host, resolve));
  closing.push(
    () => stopped(server),
    () => stream.close(),
  );
  const answer = await fetch(`http://${at.host}:${at.port}/`);
  if (answer.body === null) throw new Error("the stream has no body");
  const lines = linesOf(answer.body);
  return {
    next: async (): Promise<unknown> => {
      const { value } = await lines.next();
      return value;
    },
  };
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
  return undefined;
}

describe("the page's stream while the sandbox is down", () => {
  it("reports a gap once the sandbox is there, when the first connection failed", async () => {
    const sandbox = await ownAddress();
    const page = await openPage(sandbox);
    expect(await page.next()).toMatchObject({ kind: "hello" });

    const { tell } = await startFeed(sandbox);

    expect(await page.next()).toEqual({ kind: "gap" });
    tell("after the gap");
    expect(await page.next()).toMatchObject({ sandbox: [{ text: "after the gap" }] });
  });

  it("reports a gap after a restart of the sandbox, whose numbers begin at 1 again", async () => {
    const sandbox = await ownAddress();
    const before = await startFeed(sandbox);
    const page = await openPage(sandbox);
    expect(await page.next()).toMatchObject({ kind: "hello" });
    before.tell("before the restart");
    expect(await page.next()).toMatchObject({ sandbox: [{ text: "before the restart" }] });

    await before.stop();
    const after = await startFeed(sandbox);

    expect(await page.next()).toEqual({ kind: "gap" });
    after.tell("after the restart");
    expect(await page.next()).toMatchObject({ sandbox: [{ text: "after the restart" }] });
  });
});
