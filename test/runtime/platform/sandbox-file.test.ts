import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  isAnswering,
  readSandboxFile,
  saveCredentials,
  writeSandboxFile,
  type SandboxFile,
} from "../../../src/runtime/platform/sandbox-file.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";

const FILE: SandboxFile = {
  pid: process.pid,
  baseUrl: "http://127.0.0.1:1",
  adsBaseUrl: "http://127.0.0.1:1",
  controlUrl: "http://127.0.0.1:1/_sandbox",
  controlToken: "token",
  webhookUrl: "https://bot.example/webhook",
  app: { id: "7", consumerKey: "key", consumerSecret: "secret", bearerToken: "bearer" },
  bot: { id: "1", username: "hello_bot" },
  people: [{ id: "2", username: "ana" }],
};

describe("sandbox.json", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "answerback-sandbox-file-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is complete for readers while it is written again", async () => {
    await writeSandboxFile(folder, FILE);
    const written = new AbortController();
    const writing = (async () => {
      for (let pid = 1; pid <= 100; pid += 1) await writeSandboxFile(folder, { ...FILE, pid });
      written.abort();
    })();
    let reads = 0;
    let missing = 0;
    while (!written.signal.aborted) {
      if ((await readSandboxFile(folder)) === undefined) missing += 1;
      reads += 1;
    }
    await writing;

    expect(reads).toBeGreaterThan(0);
    expect(missing).toBe(0);
    expect((await readSandboxFile(folder))?.pid).toBe(100);
  });

  it("can only be read by its owner", async () => {
    await writeSandboxFile(folder, FILE);

    expect((await stat(join(folder, "sandbox.json"))).mode & 0o077).toBe(0);
  });

  it.each<{ issued: Readonly<Record<string, string | boolean>>; why: string }>([
    { issued: { consumer_key: "k2", consumer_secret: "s2" }, why: "a new API key" },
    { issued: { bearer_token: "b2" }, why: "a new bearer token" },
    { issued: { revoked: true }, why: "a revocation issues nothing" },
  ])("keeps the other credentials: $why", async ({ issued }) => {
    await writeSandboxFile(folder, FILE);

    await saveCredentials(folder, FILE, issued);

    const app = (await readSandboxFile(folder))?.app;
    expect(app).toEqual({
      id: "7",
      consumerKey: issued["consumer_key"] ?? "key",
      consumerSecret: issued["consumer_secret"] ?? "secret",
      bearerToken: issued["bearer_token"] ?? "bearer",
    });
  });

  it("describes a running sandbox only while one answers there", async () => {
    const sandbox = await startSandbox();
    const { url: controlUrl, token: controlToken } = sandbox.control;
    const file = { ...FILE, controlUrl, controlToken };

    const whileItRuns = await isAnswering(file);
    const withAnotherToken = await isAnswering({ ...file, controlToken: "strange" });
    await sandbox.close();

    expect(whileItRuns).toBe(true);
    expect(withAnotherToken).toBe(false);
    expect(await isAnswering(file)).toBe(false);
  });
});
