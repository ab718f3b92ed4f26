import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownAddress } from "../support/own-address.ts";
import { loadSettings } from "../../src/config/load-settings.ts";
import { callRuntime } from "../../src/runtime/control/call.ts";
import type { Answers, Requests } from "../../src/runtime/control/contract.ts";
import type { OperationName } from "../../src/runtime/control/routes.ts";
import { writeSandboxFile, type SandboxFile } from "../../src/runtime/platform/sandbox-file.ts";
import { seedSandbox } from "../../src/runtime/platform/seed-sandbox.ts";
import { ControlClient } from "../../src/sandbox/index.ts";
import type { Bundle } from "../support/bundle.ts";
import { type NodeProcess, startNode } from "./node-process.ts";
import { rulesOfTheDay } from "./script.ts";

/** Memory and handles of a bot's process. */
export interface Held {
  readonly rss: number;
  /** Heap bytes of the main thread. */
  readonly heapUsed: number;
  /** Open file descriptors. */
  readonly handles: number;
}

/** Way to end a program: gracefully or at once. */
export type Signal = "SIGTERM" | "SIGKILL";

/** A sandbox and a bot, as processes that are ended and restarted. */
export interface SoakRig {
  readonly url: string;
  readonly control: ControlClient;
  readonly app: SandboxFile["app"];
  /** User ids of the people. */
  readonly people: readonly string[];
  readonly accounts: readonly { readonly id: string; readonly username: string }[];
  startBot(): Promise<void>;
  /** Ends the bot; does nothing if it is down already. */
  endBot(signal: Signal): Promise<void>;
  readonly isBotUp: () => boolean;
  restartSandbox(signal: Signal): Promise<void>;
  /** Writes the rule file with this version of the rules. A running bot reads it at its next reload or start. */
  writeRules(version: number): Promise<void>;
  /** Routes the platform's deliveries to the bot, or to an address without a listener. */
  lead(to: "bot" | "nobody"): Promise<void>;
  /** Sends a request to the running bot; undefined if the bot does not answer. */
  ask<Name extends OperationName>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name] | undefined>;
  held(): Promise<Held>;
  /** Size of the bot's data folder in bytes. */
  fileBytes(): Promise<number>;
  /** Latest lines of the bot's log. */
  log(): string;
  close(): Promise<void>;
}

/** Programs of a soak. */
export const PROGRAMS = ["test/soak/child-bot", "test/soak/child-sandbox"] as const;

const ACCOUNTS = ["first_bot", "second_bot"];
const PEOPLE = 40;
const WEBHOOK = "https://bot.example/webhook";
const LOG_KEPT = 10_000_000;
/** Address without a listener. */
const NOWHERE = "http://127.0.0.1:9";

export interface SoakRigOptions {
  /** Whether the sandbox stores its state on disk. */
  readonly isRemembered?: boolean;
  /** Whether answers to one person are held back by the default limits. */
  readonly isLimited?: boolean;
}

/** Prepares everything in a new folder and starts the sandbox, but not the bot. */
export async function openSoakRig(
  bundle: Bundle,
  seed: number,
  { isRemembered = true, isLimited = true }: SoakRigOptions = {},
): Promise<SoakRig> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-soak-"));
  const data = join(folder, "data");
  const botAt = await ownAddress();
  const platformAt = await ownAddress();
  const url = `http://127.0.0.1:${platformAt.port}`;
  const startSandbox = async () => {
    const state = isRemembered ? join(folder, "sandbox", "world.json") : "";
    const args = [state, String(platformAt.port), String(seed)];
    const started = startNode(bundle.command("test/soak/child-sandbox", args));
    return { sandbox: started, token: await started.line("ready ") };
  };
  const writeRules = (version: number): Promise<void> =>
    writeFile(join(folder, "rules", "rules.yaml"), rulesOfTheDay(version));

  await mkdir(join(folder, "rules"), { recursive: true });
  await mkdir(data);
  const file = join(folder, "answerback.yaml");
  await writeFile(file, settingsText(`${botAt.host}:${botAt.port}`, isLimited));
  await writeRules(1);
  let { sandbox, token } = await startSandbox();
  const control = new ControlClient(`${url}/_sandbox`, token);
  let bot: NodeProcess | undefined;
  let lastLog = "";
  const settings = await loadSettings({ cwd: folder, file, environment: {} });
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ username: `p${n}`, name: `P${n}` }));
  const seeded = await seedSandbox({
    settings,
    sandbox: { url, adsUrl: `${url}/ads`, control },
    folder: data,
    before: undefined,
    listen: botAt,
    people,
    env: {},
  });
  await writeSandboxFile(data, seeded);
  const lead = async (to: "bot" | "nobody"): Promise<void> => {
    const target = to === "bot" ? `http://${botAt.host}:${botAt.port}` : NOWHERE;
    await control.host(new URL(WEBHOOK).hostname, target);
  };
  const endBot = async (signal: Signal): Promise<void> => {
    const ending = bot;
    bot = undefined;
    const code = await ending?.end(signal);
    lastLog = `${lastLog}${ending?.log() ?? ""}`.slice(-LOG_KEPT);
    if (ending !== undefined && signal === "SIGTERM" && code !== 0) {
      throw new Error(`the bot ended with ${code}:\n${lastLog.slice(-4_000)}`);
    }
  };
  return {
    url,
    control,
    app: seeded.app,
    people: seeded.people.map(({ id }) => id),
    accounts: await accountsOf(control),
    async startBot() {
      bot = startNode(["--expose-gc", ...bundle.command("test/soak/child-bot", [folder])]);
      await bot.line("ready");
    },
    endBot,
    isBotUp: () => bot !== undefined,
    async restartSandbox(signal) {
      await sandbox.end(signal);
      const before = token;
      ({ sandbox, token } = await startSandbox());
      if (token !== before) throw new Error("the sandbox came back with another control token");
    },
    writeRules,
    lead,
    ask: (name, request) => callRuntime(data, name, request).catch(() => undefined),
    async held() {
      if (bot === undefined) throw new Error("the bot is down");
      bot.say("measure");
      const held: Held = JSON.parse(await bot.line("measured "));
      return held;
    },
    fileBytes: () => bytesOf(data),
    log: () => `${lastLog}${bot?.log() ?? ""}`,
    async close() {
      await bot?.end("SIGKILL");
      await sandbox.end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settingsText(listen: string, isLimited: boolean): string {
  return [
    "version: 1",
    `accounts: ${JSON.stringify(ACCOUNTS)}`,
    "bots: []",
    `webhook: {url: "${WEBHOOK}", listen: "${listen}"}`,
    "store: file:data",
    ...(isLimited ? [] : ["limits: {replies: none, equal_replies: none}"]),
    "",
  ].join("\n");
}

async function accountsOf(control: ControlClient): Promise<SoakRig["accounts"]> {
  const searches = ACCOUNTS.map(async (username) => {
    const { users } = await control.get<{ users: { id: string }[] }>(`/users?username=${username}`);
    return users.map(({ id }) => ({ id, username }));
  });
  return (await Promise.all(searches)).flat();
}

async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((total, size) => total + size, 0);
}
