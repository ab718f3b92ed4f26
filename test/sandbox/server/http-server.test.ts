import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, it, vi } from "vitest";
import { httpServer } from "../../../src/sandbox/server/http-server.ts";
import { listen } from "../../../src/system/listen.ts";

const REQUEST = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\nhi";
/** Error with which Node reports a connection on which no whole request head has arrived in time. */
const TOO_LATE = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });

it.each([
  { what: "a part", length: 10, answer: expect.stringContaining("408") },
  { what: "nothing", length: 0, answer: "" },
])("executes no request of which $what arrived in time", async ({ length, answer }) => {
  const handle = vi.fn();
  const server = httpServer(handle);
  const port = await listen(server, 0, "127.0.0.1");
  const client = connect(port, "127.0.0.1");
  const [accepted] = await once(server, "connection");
  const answered = text(client).catch(() => "");
  client.write(REQUEST.slice(0, length));
  while (accepted.bytesRead < length) await new Promise(setImmediate);

  server.emit("clientError", TOO_LATE, accepted);
  client.write(REQUEST.slice(length));

  expect(await answered).toEqual(answer);
  expect(handle).not.toHaveBeenCalled();
  server.close();
});
