import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { httpServer } from "../../../src/sandbox/server/http-server.ts";
import { listen } from "../../../src/system/listen.ts";

it("does not execute a request that arrives after its refusal with 408", async () => {
  const handle = vi.fn();
  const server = httpServer(handle, { headersTimeout: 1, connectionsCheckingInterval: 1 });
  const port = await listen(server, 0, "127.0.0.1");
  const client = connect(port, "127.0.0.1");
  await once(server, "connection");
  client.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi");
  // Blocks the event loop between the connection and the request, as a busy machine does.
  setImmediate(block, 20);

  expect(await text(client)).toContain("408");
  expect(handle).not.toHaveBeenCalled();
  server.close();
});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
