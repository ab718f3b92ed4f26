import type { Listen, Settings } from "../../config/settings.ts";
import { seedSandbox } from "../../runtime/accounts.ts";
import { writeSandboxFile } from "../../runtime/platform.ts";
import type { SandboxFile } from "../../runtime/vocabulary.ts";
import type { RunningSandbox } from "../../sandbox/index.ts";
import type { Io } from "../io.ts";
import { visible } from "../../text/unseen.ts";
import { botLog } from "./bot-log.ts";
import { freeAddress, isFree } from "./free-address.ts";
import {
  type SupervisedRuntime,
  type SuperviseOptions,
  superviseRuntime,
} from "./runtime-process.ts";

export interface StartBotOptions extends Pick<SuperviseOptions, "flags" | "store" | "onRestarted"> {
  readonly io: Io;
  readonly settings: Settings;
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  /** Content of `sandbox.json` (the sandbox's addresses and keys) from an earlier start; undefined at the first. */
  readonly before: SandboxFile | undefined;
  /** Sandbox users for conversations with the bot. */
  readonly people: readonly { readonly username: string; readonly name: string }[];
}

/** A bot running on the sandbox. */
interface StartedBot {
  readonly file: SandboxFile;
  readonly runtime: SupervisedRuntime;
}

/** Default address of the console; a free port is used if it is taken. */
const CONSOLE_AT: Listen = { host: "127.0.0.1", port: 8081 };
const TRIES = 3;

/** Hosts to which the sandbox delivers. */
const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"];

/**
 * Points the sandbox's webhook to a free port and starts the bot there. Tries another port if another program takes
 * this one before the bot does.
 *
 * @throws {ExitError} if the bot can't start; it has printed the reason.
 */
export async function startBot(options: StartBotOptions): Promise<StartedBot> {
  let { before } = options;
  for (let remainingTries = TRIES; ; remainingTries -= 1) {
    const addresses = await freeAddresses(options);
    const { listen, consoleAt } = addresses;
    const file = await seedSandbox({ ...options, before, listen, env: options.io.env });
    await writeSandboxFile(options.folder, file);
    before = file;
    try {
      return { file, runtime: await supervised(options, addresses) };
    } catch (error) {
      const areFree = (await isFree(listen)) && (await isFree(consoleAt));
      if (areFree || remainingTries === 1) throw error;
      options.io.err("Another program took the port; starting the bot on another port.\n");
    }
  }
}

interface Addresses {
  readonly listen: Listen;
  readonly consoleAt: Listen;
}

async function freeAddresses({ settings, io }: StartBotOptions): Promise<Addresses> {
  const listen = await freeAddress(loopbackAddress(settings, io), (busy, chosen) => {
    io.err(`Port ${busy} is busy; the bot's webhook listens on ${chosen} instead.\n`);
  });
  const consoleAt = await freeAddress(settings.console.listen ?? CONSOLE_AT, (busy, chosen) => {
    if (settings.console.listen === undefined) return;
    io.err(`Port ${busy} is busy; the console is at ${chosen} instead.\n`);
  });
  return { listen, consoleAt };
}

/** Returns `webhook.listen`, with the host 127.0.0.1 in place of any other than loopback: only the sandbox delivers here. */
function loopbackAddress({ webhook: { listen } }: Settings, io: Io): Listen {
  const { host, port } = listen;
  if (LOOPBACK_HOSTS.includes(host.toLowerCase())) return listen;
  io.err(
    `The bot's webhook listens on 127.0.0.1 instead of ${visible(host)}: dev is for this machine alone.\n`,
  );
  return { host: "127.0.0.1", port };
}

function supervised(
  { io, flags, folder, store, onRestarted }: StartBotOptions,
  { listen, consoleAt }: Addresses,
): Promise<SupervisedRuntime> {
  return superviseRuntime({
    io,
    flags,
    listen: `${listen.host}:${listen.port}`,
    console: `${consoleAt.host}:${consoleAt.port}`,
    logFile: botLog(folder),
    ...(store !== undefined && { store }),
    ...(onRestarted !== undefined && { onRestarted }),
  });
}
