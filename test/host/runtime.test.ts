import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
import { StoreError } from "../../src/runtime/store/errors.ts";
import { openStore } from "../../src/runtime/store/open.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import { listen } from "../../src/system/listen.ts";
import { when } from "../support/when.ts";

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
  readonly worldOf?: RuntimeParts["worldOf"];
  /** Names of the store's values whose next read fails. */
  readonly unreadable?: Set<string>;
}) {
  const store = withUnreadable(await openStore(`file:${folder}`), over.unreadable ?? new Set());
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
      checkTakenPartitions: () => Promise.resolve(),
    },
    modules: {
      resolveModule: (file) => file,
      secretsOf: () => ({}),
      findBots: async () => [],
      findUsed: async () => [],
      projectFolders: [],
    },
    process: { name: nameOfProcess(undefined), folder, stateFolder: join(folder, "state") },
    clock: systemClock,
    log,
    events: runtimeEvents({ now: () => systemClock.now(), onListenerError: () => {} }),
    cleanup,
    ...(over.worldOf && { worldOf: over.worldOf }),
  };
  return startRuntime(parts, { onListening: over.onListening });
}

/** Makes the next read of each of these values fail, as while a database server restarts. */
function withUnreadable(store: Store, names: Set<string>): Store {
  const read = store.getMeta.bind(store);
  store.getMeta = async (name, isPoll) => {
    if (names.delete(name)) throw new StoreError("store-io", "the database server restarts");
    return read(name, isPoll);
  };
  return store;
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

describe("if the store fails in the moment in which the platform answers at last", () => {
  /** Starts a runtime whose platform answers only now, when the next read of the value `name` fails. */
  async function startingLate(name: string) {
    const webhook = { id: "7", url: "https://bot.example/webhook", valid: true, created_at: "" };
    const platform = createHttpServer((_request, response) => {
      response
        .setHeader("content-type", "application/json")
        .end(JSON.stringify({ data: [webhook] }));
    });
    cleanup.add("the platform", () => void platform.close());
    const unreadable = new Set<string>();
    let isThere = false;
    let hasAnswered = false;
    let readyz = "";
    await starting({
      baseUrl: `http://127.0.0.1:${await listen(platform, 0)}`,
      onListening: async ({ host, port }) => void (readyz = `http://${host}:${port}/readyz`),
      unreadable,
      worldOf: async () => {
        if (!isThere) throw new Error("the platform does not answer");
        unreadable.add(name);
        hasAnswered = true;
        return { target: "live", baseUrl: "https://api.example", consumerKey: "key" };
      },
    });
    expect((await fetch(readyz)).status).toBe(503);
    isThere = true;
    await when(() => (hasAnswered && !unreadable.has(name)) || undefined);
    return readyz;
  }

  it("the webhook is set up nevertheless", async () => {
    const readyz = await startingLate("catchup/doubts");
    const status = await when(async () => {
      const { ok, status } = await fetch(readyz);
      return ok ? status : undefined;
    });

    expect(status).toBe(200);
  });

  it("other instances are looked for nevertheless: nothing is sent before", async () => {
    await startingLate("store-id");
    const records = await when(async () => {
      const files = await readdir(join(folder, "state"), { recursive: true }).catch(() => []);
      const jsonFiles = files.filter((file) => file.endsWith(".json"));
      return jsonFiles.length > 0 ? jsonFiles : undefined;
    });

    expect(records).toHaveLength(1);
  });
});
