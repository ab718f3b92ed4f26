import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../src/system/listen.ts";
import { balancer, type Balancer } from "./balancer.ts";

let front: Balancer;
const servers: Server[] = [];

beforeEach(async () => {
  front = await balancer({ answerWithinMs: 200, retryForMs: 400 });
});
afterEach(async () => {
  await front.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function receiver(name: string, answer: RequestListener): Promise<void> {
  const server = createServer(answer);
  servers.push(server);
  front.lead(name, `http://127.0.0.1:${await listen(server, 0)}`);
}

const takes: RequestListener = (incoming, outgoing) => {
  incoming.resume().on("end", () => outgoing.end("taken"));
};
const REFUSALS: readonly { why: string; answer: RequestListener }[] = [
  { why: "it breaks off", answer: (incoming) => void incoming.socket.destroy() },
  { why: "it is full", answer: (_, outgoing) => void outgoing.writeHead(503).end() },
  { why: "it stands still", answer: () => {} },
];

async function deliver(id: string): Promise<Response> {
  const body = JSON.stringify({ direct_message_events: [{ id }] });
  return fetch(`${front.url}/webhook`, { method: "POST", body });
}

describe("a balancer", () => {
  it.each(REFUSALS)(
    "tries the next receiver if one does not accept a delivery: $why",
    async ({ answer }) => {
      await receiver("one", answer);
      await receiver("two", takes);
      const answers = await Promise.all([deliver("1"), deliver("2")]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect([...front.acknowledged].toSorted()).toEqual(["1", "2"]);
      expect(front.refused()).toBe(0);
    },
  );

  it("refuses a delivery that no receiver has accepted in time, and acknowledges nothing", async () => {
    await receiver("one", (_, outgoing) => void outgoing.writeHead(500).end());

    expect((await deliver("1")).status).toBe(502);
    expect([front.acknowledged.size, front.refused()]).toEqual([0, 1]);
  });

  it("finds a receiver that appears while it tries", async () => {
    const answer = deliver("1");
    await receiver("one", takes);

    expect((await answer).status).toBe(200);
  });

  it("passes on a refusal that the delivery itself causes", async () => {
    await receiver("one", (_, outgoing) => void outgoing.writeHead(401).end());

    expect((await deliver("1")).status).toBe(401);
    expect(front.acknowledged.size).toBe(0);
  });
});
