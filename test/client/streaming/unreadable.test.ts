import { expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import type { StreamGap } from "../../../src/client/streaming/gap.ts";
import { stubServer } from "../support/stub-server.ts";
import { clientHandClock } from "./client-hand-clock.ts";

const posts = ["1", "2", "3"].map((id) => ({ data: { id, text: `post ${id}`, author_id: "42" } }));
const UNREADABLE = { data: { id: "9", text: "its author is missing" } };

it("ends with the error of onGap, instead of connecting again and again", async () => {
  const server = await stubServer(() => (response) => {
    response.writeHead(200);
    response.write(`${JSON.stringify(UNREADABLE)}\r\n`);
  });
  const clock = clientHandClock(Date.UTC(2026, 5, 15, 12));
  const credentials = { type: "bearer", bearerToken: "b-1234" } as const;
  const client = createClient({ baseUrl: server.url, credentials, clock, retry: false });
  const stream = client.filteredStream.posts({
    postFields: ["author_id"],
    searchGaps: false,
    onGap: () => {
      throw new Error("the log is full");
    },
    onDisconnect: ({ retryInMs }) => {
      if (server.seen.length > 2) throw new Error("it has connected again");
      setImmediate(() => clock.advance(retryInMs));
    },
  });

  await expect(stream.next()).rejects.toThrow("the log is full");
  expect(server.seen).toHaveLength(2);
  await client.close();
  await server.close();
});

it("skips a line that stays unreadable after a reconnect, and reports a gap", async () => {
  const [first, second, third] = posts;
  const server = await stubServer((_request, nth) => (response) => {
    const sent = nth === 1 ? [first, UNREADABLE, second] : [UNREADABLE, second, third];
    response.writeHead(200);
    for (const line of sent) response.write(`${JSON.stringify(line)}\r\n`);
  });
  const clock = clientHandClock(Date.UTC(2026, 5, 15, 12));
  const credentials = { type: "bearer", bearerToken: "b-1234" } as const;
  const client = createClient({ baseUrl: server.url, credentials, clock, retry: false });
  const gaps: StreamGap[] = [];
  const stream = client.filteredStream.posts({
    postFields: ["author_id"],
    searchGaps: false,
    onGap: (gap) => void gaps.push(gap),
    onDisconnect: ({ retryInMs }) => void setImmediate(() => clock.advance(retryInMs)),
  });
  const texts: (string | undefined)[] = [];
  while (texts.length < 3) texts.push((await stream.next()).value?.data.text);
  await client.close();
  await server.close();

  expect(texts).toEqual(["post 1", "post 2", "post 3"]);
  expect(server.seen).toHaveLength(2);
  expect(gaps[0]).toMatchObject({ filled: false, why: expect.stringContaining("author_id") });
});
