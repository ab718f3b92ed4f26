import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RoleSetting } from "../../../src/config/settings.ts";
import { type Log, openLog } from "../../../src/runtime/log.ts";
import type { SettledOptions } from "../../../src/host/opening/settled-options.ts";
import type { Runtime } from "../../../src/host/open.ts";
import { openRuntime, openRuntimeOver } from "../../../src/host/open-runtime.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { ownAddress } from "../../support/own-address.ts";

const rules = (text: string): string => `version: 1
rules:
  - id: hi
    triggers: [dm.received]
    actions:
      - reply_dm: { text: ${text} }
`;
/** Key that encrypts `accounts.json`. Each process has a copy of that file. */
const KEY = "5a".repeat(32);

export interface StartingProcess {
  readonly role: RoleSetting;
  /** Text with which the rules of this process answer. */
  readonly text?: string;
  /** Setting `limits.replies`: limit of answers to one person. */
  readonly replies?: string;
  /** Time to live of its leases without renewal, in milliseconds. */
  readonly leaseMs?: number;
  /** Opens the store that this process uses; by default the store of all processes. */
  readonly openStore?: SettledOptions["openStore"];
  readonly log?: Log;
}

/** Runtimes of one bot, each with its own folder, and a sandbox that delivers to the receiver that started last. */
export interface BotProcesses {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  /** User id of the bot. */
  readonly bot: string;
  start(name: string, how: StartingProcess): Promise<Runtime>;
  /** Sends the bot a message as a person. */
  say(person: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts the sandbox, with a bot account and without a process. @param store Store that all processes share. */
export async function botProcesses(
  store: Pick<SettledOptions, "openStore"> & { readonly url?: string },
): Promise<BotProcesses> {
  const folder = await mkdtemp(join(tmpdir(), "roles-"));
  const sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  const people = new Map<string, string>();
  const running: Runtime[] = [];
  const options = (name: string) => ({
    data: join(folder, name),
    environment: { ANSWERBACK_KEY: KEY },
    log: openLog({ level: process.env["ROLES_LOG"] ?? "silent" }),
  });
  const seeding = await openRuntime({ ...options("seed"), sandbox });
  const bot = (await seeding.status()).accounts[0]?.id ?? "";
  await seeding.stop();
  return {
    sandbox,
    folder,
    bot,
    async start(name, { role, text = "Hello!", replies = "30 in 10m", ...how }) {
      const { openStore = store.openStore } = how;
      const roleOptions = { ...options(name), ...(how.log && { log: how.log }) };
      await mkdir(roleOptions.data, { recursive: true });
      for (const file of ["accounts.json", "sandbox.json"]) {
        await copyFile(join(folder, "seed", file), join(roleOptions.data, file));
      }
      const at = await ownAddress();
      const runtime = await openRuntimeOver(
        {
          ...roleOptions,
          sandbox,
          settings: {
            role,
            processName: name,
            limits: { replies },
            webhook: { listen: `${at.host}:${at.port}` },
            ...(store.url !== undefined && { store: store.url }),
          },
          rules: [{ text: rules(text) }],
        },
        {
          ...(openStore !== undefined && { openStore }),
          ...(how.leaseMs !== undefined && { leaseMs: how.leaseMs }),
        },
      );
      running.push(runtime);
      return runtime;
    },
    async say(person, text) {
      const id = people.get(person) ?? (await sandbox.control.user(person));
      people.set(person, id);
      await sandbox.control.act(id, { type: "dm", to: bot, text });
    },
    async close() {
      for (const runtime of running.splice(0)) await runtime.stop();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the names of the processes that lead, according to the status of `runtime`. */
export async function leadersBy(runtime: Runtime): Promise<readonly string[]> {
  const { processes } = await runtime.status();
  return processes.filter(({ leads }) => leads).map(({ name }) => name.slice(0, -7));
}
