import { Agent, type Dispatcher } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { stubServer, type StubServer } from "../support/stub-server.ts";
import { clientHandClock } from "./client-hand-clock.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;
const LINES = 300;

/** Returns the id of a post that was created `ms` milliseconds after `NOW`. */
const idAt = (ms: number): string => String((BigInt(NOW + ms) - 1_288_834_974_657n) << 22n);

let platform: StubServer;
let cut: () => void;
beforeEach(async () => {
  // The stub sends 3 MiB at once, far more than a paused reader buffers. Then the connection breaks.
  const text = "w".repeat(10_000);
  platform = await stubServer((_request, nth) => (response, socket) => {
    response.writeHead(200, { "content-type": "application/json" });
    const lines = nth === 1 ? LINES : 0;
    for (let n = 0; n < lines; n += 1) {
      response.write(`${JSON.stringify({ data: { id: idAt(n), text }, matching_rules: [] })}\r\n`);
    }
    response.flushHeaders();
    cut = () => void socket.destroy();
  });
});
afterEach(() => platform.close());

type OnData = NonNullable<Dispatcher.DispatchHandler["onResponseData"]>;

function passedOn(
  handler: Dispatcher.DispatchHandler,
  onResponseData: OnData,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData,
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}

it("requests posts since the last post that was read, however late that arrived", async () => {
  const clock = clientHandClock(NOW);
  const credentials = { type: "bearer", bearerToken: "a-bearer-token" } as const;
  const agent = new Agent();
  const connection = { isHeldBack: false };
  const dispatcher = agent.compose((dispatch) => (request, handler) => {
    const onResponseData: OnData = (controller, chunk) => {
      handler.onResponseData?.(controller, chunk);
      connection.isHeldBack = controller.paused;
    };
    return dispatch(request, passedOn(handler, onResponseData));
  });
  const settings = { baseUrl: platform.url, credentials, clock, dispatcher };
  const client = createClient({ ...settings, retry: false });
  const posts = client.filteredStream.posts();
  const seen = [(await posts.next()).value?.data.id];
  while (!connection.isHeldBack) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(4 * MINUTE);
  while (seen.length < LINES) seen.push((await posts.next()).value?.data.id);
  cut();
  const next = posts.next();
  while (platform.seen.length < 2) await new Promise((resolve) => setImmediate(resolve));
  await client.close();
  await agent.close();

  expect(seen).toEqual(Array.from({ length: LINES }, (_, n) => idAt(n)));
  expect(platform.seen[1]?.target).toBe("/2/posts/search/stream?backfill_minutes=5");
  expect((await next).done).toBe(true);
});
