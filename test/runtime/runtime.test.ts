import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventEmitter } from "eventemitter3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadSettings } from "../../src/config/load-settings.ts";
import { compile } from "../../src/rules/compile.ts";
import { openAccounts } from "../../src/runtime/accounts/registry.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { openLog } from "../../src/runtime/log.ts";
import type { Notices } from "../../src/runtime/notices.ts";
import { startRuntime } from "../../src/runtime/runtime.ts";
import { openStore } from "../../src/runtime/store/open.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "runtime-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a runtime in the folder; nothing listens where its platform should be. */
async function starting(over: { readonly port?: number; readonly accounts?: readonly string[] }) {
  const settings = await loadSettings({ cwd: folder, environment: {} });
  return startRuntime({
    settings: {
      ...settings,
      accounts: over.accounts ?? [],
      webhook: { ...settings.webhook, listen: { host: "127.0.0.1", port: over.port ?? 0 } },
    },
    platform: {
      baseUrl: "http://127.0.0.1:9",
      dialect: "post",
      consumerKey: "key",
      consumerSecret: "secret",
      bearerToken: "bearer",
      webhookUrl: "https://bot.example/webhook",
    },
    store: await openStore(`file:${folder}`),
    accounts: await openAccounts(folder),
    rules: compile([]),
    resolveModule: (file) => file,
    botFiles: [],
    folder,
    clock: systemClock,
    log: openLog({ level: "silent" }),
    notices: new EventEmitter<Notices>(),
  });
}

it("lets go of everything it took when its port is busy", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  await expect(starting({ port })).rejects.toThrow(`port ${port} on 127.0.0.1 is busy`);
  await (await openStore(`file:${folder}`)).close();
  await new Promise((resolve) => other.close(resolve));
});

it("lets the store go when an account of the settings is not linked", async () => {
  await expect(starting({ accounts: ["nobody"] })).rejects.toThrow("@nobody");
  await (await openStore(`file:${folder}`)).close();
});
