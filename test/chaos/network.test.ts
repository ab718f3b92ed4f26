import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { network, type Network } from "./network.ts";

let echo: Server;
let way: Network;
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const address = echo.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  way = await network({ host: "127.0.0.1", port: address.port });
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await way.close();
  echo.close();
});

interface Line {
  readonly socket: Socket;
  readonly heard: () => string;
  readonly errors: string[];
}

function open(): Line {
  const socket = connect(way.port, "127.0.0.1").setEncoding("utf8");
  sockets.push(socket);
  let heard = "";
  const errors: string[] = [];
  socket.on("data", (text: string) => (heard += text));
  socket.on("error", (error) => errors.push(error.message));
  return { socket, heard: () => heard, errors };
}

describe("a network between a process and a server", () => {
  it("passes on data and the ends of connections", async () => {
    const { socket, heard } = open();
    socket.end("hello");
    await once(socket, "close");

    expect(heard()).toBe("hello");
  });

  it("passes on data of a silent period after it is healed, on existing and new connections", async () => {
    const before = open();
    await once(before.socket, "connect");
    way.cut("silent");
    before.socket.write("old");
    const during = open();
    during.socket.write("new");
    const turns = Array.from({ length: 50 }, () => new Promise((next) => setImmediate(next)));
    await Promise.all(turns);
    expect([before.heard(), during.heard()]).toEqual(["", ""]);

    way.heal();

    await expect.poll(() => [before.heard(), during.heard()]).toEqual(["old", "new"]);
  });

  it("resets existing and new connections while it refuses", async () => {
    const before = open();
    before.socket.write("first");
    await expect.poll(() => before.heard()).toBe("first");
    way.cut("refusing");
    await expect.poll(() => before.socket.destroyed).toBe(true);
    const during = open();
    await expect.poll(() => during.socket.destroyed).toBe(true);

    way.heal();
    const after = open();
    after.socket.write("again");

    await expect.poll(() => after.heard()).toBe("again");
    expect(before.errors.join()).toContain("ECONNRESET");
  });
});
