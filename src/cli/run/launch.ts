import { readFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { EventEmitter } from "eventemitter3";
import { findFiles } from "../../config/find-files.ts";
import type { Settings } from "../../config/settings.ts";
import { renderProblems } from "../../config/render-problems.ts";
import { UsageError } from "../../errors.ts";
import { compile } from "../../rules/compile.ts";
import { openAccounts } from "../../runtime/accounts/registry.ts";
import { claimStore, type World } from "../../runtime/belonging.ts";
import { systemClock, type Clock } from "../../runtime/clock.ts";
import type { Notices } from "../../runtime/notices.ts";
import { startRuntime, type PlatformAccess, type Runtime } from "../../runtime/runtime.ts";
import { followSandboxClock } from "../../runtime/sandbox-clock.ts";
import { openStore } from "../../runtime/store/open.ts";
import { ControlClient } from "../../sandbox/control/client.ts";
import type { Io } from "../io.ts";
import { logTo } from "./log-streams.ts";
import { accessFor } from "./platform-access.ts";
import { readSandboxFile, type SandboxFile } from "../dev/sandbox-file.ts";
import { dataFolder } from "../settings-flags.ts";

export interface LaunchOptions {
  readonly settings: Settings;
  readonly io: Io;
  /** Least severe level that stderr gets. */
  readonly logLevel: string;
  /** File that gets everything from `info` on, whatever stderr gets. */
  readonly logFile?: string | undefined;
}

/**
 * Puts a runtime together from the settings and starts it.
 *
 * @throws {UsageError} when something that the target needs is not set.
 */
export async function launch(options: LaunchOptions): Promise<Runtime> {
  const { settings, io } = options;
  const folder = dataFolder(settings);
  const log = logTo(options);
  const sandbox = settings.target === "sandbox" ? await sandboxFor(settings, folder) : undefined;
  const platform = accessFor(settings, sandbox);
  const rules = compile(await readRules(settings, io.cwd));
  if (rules.problems.length > 0) io.err(`${renderProblems(rules.problems)}\n`);
  const accounts = await openAccounts(folder, io.env["ANSWERBACK_KEY"]);
  let closeClock = (): void => {};
  let clock: Clock = systemClock;
  if (sandbox !== undefined) {
    const followed = await followSandboxClock(
      { url: sandbox.controlUrl, token: sandbox.controlToken },
      log,
    );
    closeClock = () => followed.close();
    clock = followed;
  }
  try {
    const store = await openStore(`file:${folder}`);
    await claimStore(store, await worldOf(platform, sandbox)).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    const runtime = await startRuntime({
      settings,
      platform,
      store,
      accounts,
      rules,
      resolveModule: (file, module) => resolve(io.cwd, dirname(file), module),
      botFiles: await findFiles(settings.bots),
      folder,
      clock,
      log,
      notices: new EventEmitter<Notices>(),
    });
    return {
      get status() {
        return runtime.status;
      },
      controlUrl: runtime.controlUrl,
      async stop() {
        await runtime.stop();
        closeClock();
      },
    };
  } catch (error) {
    closeClock();
    throw error;
  }
}

/** The rule files of the settings with their texts; paths as the person would write them. */
async function readRules(
  settings: Settings,
  cwd: string,
): Promise<{ path: string; text: string }[]> {
  const files = await findFiles(settings.rules);
  return Promise.all(
    files.map(async (file) => ({ path: relative(cwd, file), text: await readFile(file, "utf8") })),
  );
}

async function sandboxFor(settings: Settings, folder: string): Promise<SandboxFile> {
  const file = await readSandboxFile(folder);
  if (file !== undefined) return file;
  throw new UsageError(`the target is the sandbox, and none runs with the data folder ${folder}`, {
    hint: `start both with: answerback dev   (or set target: live in ${settings.file ?? "config/answerback.yaml"})`,
  });
}

/** Which world the store must belong to. */
async function worldOf(platform: PlatformAccess, sandbox: SandboxFile | undefined): Promise<World> {
  const { baseUrl, consumerKey } = platform;
  if (sandbox === undefined) return { target: "live", baseUrl, consumerKey };
  const control = new ControlClient(sandbox.controlUrl, sandbox.controlToken);
  const health = await control.get<{ world_id: string }>("/health");
  return { target: "sandbox", worldId: health.world_id };
}
