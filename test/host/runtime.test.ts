import { mkdtemp, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../../src/cli/exit-codes.ts";
import { compile } from "../../src/rules/compile/compile.ts";
import { openAccounts } from "../../src/runtime/accounts/registry.ts";
import { systemClock } from "../../src/runtime/clock/clock.ts";
import { openLog } from "../../src/runtime/log.ts";
import { cleanupStack, type CleanupStack } from "../../src/runtime/loop/cleanup-stack.ts";
import { runtimeEvents } from "../../src/runtime/runtime-events.ts";
import type { RuntimeParts } from "../../src/host/parts.ts";
import { nameOfProcess } from "../../src/host/roles/role.ts";
import { settingsFrom } from "../../src/host/runtime-settings.ts";
import { type StartOptions, startRuntime } from "../../src/host/start.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import { listen } from "../../src/system/listen.ts";

const log = openLog({ level: "silent" });
let folder: string;
let cleanup: CleanupStack;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runtime-"));
  cleanup = cleanupStack(log);
});
afterEach(async () => {
  await cleanup.close();
  await rm(folder, { recursive: true });
});

/** Starts a runtime in the test's folder. By default no server listens at the address of its platform. */
async function starting(over: {
  readonly port?: number;
  readonly accounts?: readonly string[];
  readonly baseUrl?: string;
  readonly onListening?: NonNullable<StartOptions["onListening"]>;
}) {
  const store = await openStore(`file:${folder}`);
  cleanup.add("the store", () => store.close());
  const { accounts = [], port = 0 } = over;
  const settings = { accounts, webhook: { listen: `127.0.0.1:${port}` } };
  const parts: RuntimeParts = {
    settings: { ...settingsFrom(settings, folder, folder), target: "live" },
    platform: {
      baseUrl: over.baseUrl ?? "http://127.0.0.1:9",
      dialect: "post",
      consumerKey: "key",
      consumerSecret: "secret",
      bearerToken: "bearer",
      webhookUrl: "https://bot.example/webhook",
    },
    store,
    registry: await openAccounts(folder),
    rules: {
      ...compile([]),
      named: [],
      reload: () => Promise.reject(new Error("not asked")),
      onChanged: () => () => {},
      follow: () => Promise.resolve(),
    },
    modules: {
      resolveModule: (file) => file,
      secretsOf: () => ({}),
      findBots: async () => [],
      projectFolders: [],
    },
    process: { name: nameOfProcess(undefined), folder },
    clock: systemClock,
    log,
    events: runtimeEvents({ now: () => systemClock.now(), onListenerError: () => {} }),
    cleanup,
  };
  return startRuntime(parts, { onListening: over.onListening });
}

it("closes everything that it opened when its port is busy", async () => {
  const other = createServer();
  const port = await listen(other, 0);

  const error = await starting({ port }).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ message: `port ${port} on 127.0.0.1 is busy`, code: "usage" });
  // systemd does not restart a bot after a usage error, and an earlier process may still hold the port
  expect(exitCodeOf(error)).toBe(EXIT.failure);
  await cleanup.close();
  await (await openStore(`file:${folder}`)).close();
  await new Promise((resolve) => other.close(resolve));
});

it("refuses to start when an account of the settings is not linked", async () => {
  await expect(starting({ accounts: ["nobody"] })).rejects.toThrow("@nobody");
});

it("is not ready, with the reason, while the platform does not have its webhook", async () => {
  const answers: (() => void)[] = [];
  let onAsked = (): void => {};
  const isAsked = new Promise<void>((resolve) => (onAsked = resolve));
  const platform = createHttpServer((request, response) => {
    const webhook = { id: "7", url: "https://bot.example/webhook", valid: true, created_at: "" };
    answers.push(() =>
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ data: [webhook] })),
    );
    onAsked();
  });
  let readyz = "";
  const started = starting({
    baseUrl: `http://127.0.0.1:${await listen(platform, 0)}`,
    onListening: async ({ host, port }) => void (readyz = `http://${host}:${port}/readyz`),
  });
  await isAsked;
  const before = await fetch(readyz);
  for (const answer of answers) answer();
  await started;
  const after = await fetch(readyz);

  expect(before.status).toBe(503);
  expect(await before.json()).toEqual({
    status: "not-ready",
    missing: [
      { part: "runtime", reason: "starting" },
      { part: "webhook", reason: "the webhook is not registered yet" },
    ],
  });
  expect(after.status).toBe(200);
  expect(await after.json()).toEqual({ status: "ready", missing: [] });
  await cleanup.close();
  platform.close();
});
