import { createServer } from "node:http";
import { expect, it } from "vitest";
import { liveClock } from "../../../src/runtime/clock/platform-clock.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { listen } from "../../../src/system/listen.ts";

const opened = (baseUrl: string) =>
  liveClock({
    baseUrl,
    log: openLog({ level: "silent" }),
    memory: { read: async () => undefined, write: async () => {} },
  });

it("knows the platform's time from its first response, which the start requests", async () => {
  const platform = createServer((_request, response) => void response.end());
  const clock = await opened(`http://127.0.0.1:${await listen(platform, 0)}`);
  platform.close();

  expect(clock.isKnown?.()).toBe(true);
});

it.each([
  { headers: { date: new Date().toUTCString() }, what: "the platform's time" },
  { headers: { server: "nginx" }, what: "that no better time will come" },
])(
  "knows $what with the first response after a start without the platform",
  async ({ headers }) => {
    const clock = await opened("http://127.0.0.1:9");
    expect(clock.isKnown?.()).toBe(false);
    clock.learn(headers, 1);

    expect(clock.isKnown?.()).toBe(true);
  },
);
