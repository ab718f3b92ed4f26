import { createServer, type Server, type ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { openConnections } from "../../../src/runtime/webhook/connections.ts";
import { listen } from "../../../src/system/listen.ts";

let server: Server;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Starts a server with at most `max` connections. A request to `/proven` marks its connection as the platform's. */
async function holding(max: number): Promise<number> {
  const connections = openConnections(max);
  server = createServer((request, response) => {
    if (request.url === "/proven") connections.proven(request.socket);
    response.end("ok");
  });
  connections.limit(server);
  return listen(server, 0);
}

/** Opens a connection, sends a request, and waits for the response. */
async function opened(port: number, path: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  return socket;
}

const closed = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => socket.once("close", resolve));

it("ends the oldest unauthenticated connection when there are too many", async () => {
  const port = await holding(3);
  const platform = await opened(port, "/proven");
  const strangers = [await opened(port, "/"), await opened(port, "/")];
  const ended = strangers.map(closed);
  const newer = [await opened(port, "/"), await opened(port, "/")];
  await Promise.all(ended);

  expect([platform, ...newer].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it("refuses further connections while all existing ones are authenticated", async () => {
  const port = await holding(2);
  const platform = [await opened(port, "/proven"), await opened(port, "/proven")];
  const one = connect(port, "127.0.0.1");
  sockets.push(one);
  one.on("error", () => {});
  await closed(one);

  expect(platform.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});

it("keeps to the limit when several connections arrive before an ended one has closed", () => {
  server = createServer();
  openConnections(3).limit(server);
  const arrived = Array.from({ length: 8 }, () => new Socket());
  for (const socket of arrived) server.emit("connection", socket);

  expect(arrived.map(({ destroyed }) => destroyed)).toEqual([
    ...Array(5).fill(true),
    false,
    false,
    false,
  ]);
});

it("ends a connection on which more than 32 requests wait for their turn, and takes 32", async () => {
  const connections = openConnections();
  const waiting: boolean[] = [];
  let first: ServerResponse | undefined;
  server = createServer((request, response) => {
    const may = connections.mayWait(request.socket, response);
    waiting.push(may);
    // The first request is answered last, so all others wait for it.
    if (first === undefined) first = response;
    else if (may) response.end("ok");
  });
  const port = await listen(server, 0);
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {});
  const request = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

  socket.write(request.repeat(33));
  await expect.poll(() => waiting.length).toBe(33);
  expect(waiting).toEqual(Array(33).fill(true));
  first?.end("ok");
  const answers = new Promise<void>((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split("HTTP/1.1 200").length > 33) resolve();
    });
  });
  await answers;

  // The answered requests no longer count as waiting, so as many new ones may wait on this connection.
  first = undefined;
  const isEnded = closed(socket);
  socket.write(request.repeat(34));
  await isEnded;
  expect(waiting.slice(33)).toEqual([...Array(33).fill(true), false]);
});
