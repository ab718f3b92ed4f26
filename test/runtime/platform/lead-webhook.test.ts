import { afterAll, beforeAll, expect, it } from "vitest";
import { leadWebhook } from "../../../src/runtime/platform/seed-sandbox.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it.each([
  { host: "0.0.0.0", target: "http://127.0.0.1:8080" },
  { host: "[::]", target: "http://[::1]:8080" },
  { host: "localhost", target: "http://localhost:8080" },
])("the sandbox reaches a server that listens on $host at $target", async ({ host, target }) => {
  await leadWebhook(sandbox, "https://bot.example/webhook", { host, port: 8080 });

  expect(await sandbox.control.hosts()).toEqual([{ host: "bot.example", target }]);
});

it("the sandbox refuses to deliver to another machine", async () => {
  const at = { host: "203.0.113.9", port: 8080 };

  await expect(leadWebhook(sandbox, "https://bot.example/webhook", at)).rejects.toThrow("loopback");
});
