import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { startSandbox, type RunningSandbox } from "../../sandbox/index.ts";
import { botLog, turnBotLog } from "./bot-log.ts";
import type { DevFlags } from "../commands/dev.ts";
import { freeAddress } from "./free-address.ts";
import type { Io } from "../io.ts";
import { moveAside } from "./move-aside.ts";
import { busyPort } from "../ports.ts";
import { superviseRuntime, type ReadyLine } from "./runtime-process.ts";
import { isUp, readSandboxFile, writeSandboxFile, type SandboxFile } from "./sandbox-file.ts";
import { dataFolder } from "../settings-flags.ts";
import { settleIn } from "./settle-in.ts";
import { suggestions, type Suggestion } from "./suggest.ts";

/**
 * Starts the sandbox in this process and the bot in a process of its own below it, and says what to
 * try.
 *
 * @returns What ends both, the bot first.
 * @throws {UsageError} when it runs already, or a port is taken.
 */
export async function startDev(
  settings: Settings,
  flags: DevFlags,
  io: Io,
): Promise<() => Promise<void>> {
  if (settings.target !== "sandbox") {
    throw new UsageError("dev is for the sandbox, and the settings say target: live", {
      hint: "run the live bot with: answerback run",
    });
  }
  const ephemeral = flags.ephemeral === true;
  const folder = ephemeral ? await mkdtemp(join(tmpdir(), "answerback-")) : dataFolder(settings);
  const found = await readSandboxFile(folder);
  if (found !== undefined && (await isUp(found))) throw running(found, folder);
  const aside = flags.fresh === true ? await moveAside(folder, Date.now()) : undefined;
  if (aside !== undefined)
    io.err(`The old world and store are kept in ${relative(io.cwd, aside)}\n`);
  const before = aside === undefined ? found : undefined;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await turnBotLog(folder);

  const sandbox = await startSandbox({
    port: flags.port ?? 0,
    settings: { limits: { enabled: false } },
    ...(ephemeral ? {} : { state: join(folder, "world.jsonl") }),
  }).catch((error: unknown) => {
    throw busyPort(error, flags.port ?? 0);
  });
  try {
    const listen = await freeAddress(settings.webhook.listen, (busy, taken) => {
      io.err(`Port ${busy} is busy; the bot's webhook listens on ${taken} instead.\n`);
    });
    const file = await settleIn({ settings, sandbox, folder, before, listen, env: io.env });
    await writeSandboxFile(folder, file);
    const runtime = await superviseRuntime({
      io,
      flags: { ...flags, data: folder },
      listen: `${listen.host}:${listen.port}`,
      logFile: botLog(folder),
    });
    const tries = await suggestions(settings, file.bot.username);
    io.out(checklist(io, file, sandbox, runtime.ready, relative(io.cwd, folder) || folder));
    io.out(toTry(io, tries));
    return async () => {
      await runtime.stop();
      await sandbox.close();
      if (ephemeral) await rm(folder, { recursive: true, force: true });
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function running(file: SandboxFile, folder: string): UsageError {
  return new UsageError(`answerback dev runs here already, as process ${file.pid} with ${folder}`, {
    hint:
      `talk to it with: answerback send @${file.people[0]?.username ?? "ana"} "hi", end it with Ctrl-C, ` +
      `or run another beside it with: --data OTHER-FOLDER`,
  });
}

function checklist(
  io: Io,
  file: SandboxFile,
  sandbox: RunningSandbox,
  { status }: ReadyLine,
  folder: string,
): string {
  const { green, bold } = io.dataColors;
  const done = (text: string): string => `  ${green("ok")}  ${text}\n`;
  const [ana, ben] = file.people;
  const bots = status.bots.map(({ name }) => name).join(", ") || "none";
  const problems = status.rules.problems.length + status.botFaults.length;
  return [
    `${bold("Answerback is up.")}\n\n`,
    done(`sandbox      ${sandbox.url}`),
    done(`webhook      ${status.webhook.url}, challenge answered`),
    done(`account      @${file.bot.username}, subscribed`),
    done(`rules        ${status.rules.count}`),
    done(`bots         ${bots}`),
    done(`people       @${ana?.username ?? ""} and @${ben?.username ?? ""}`),
    done(`kept in      ${folder}`),
    problems > 0 ? `\n  ${problems} problem(s), told above; everything else runs.\n` : "",
  ].join("");
}

function toTry(io: Io, tries: readonly Suggestion[]): string {
  // npm tells its scripts whose they are: in this repository there is nothing for npx to find.
  const isOurs = io.env["npm_package_name"] === "answerback";
  const answerback = isOurs ? "npm run -s answerback --" : "npx answerback";
  const { dim } = io.dataColors;
  const width = Math.max(...tries.map(({ args }) => args.length)) + 2;
  const lines = tries.map(
    ({ args, comes }) => `  ${answerback} ${args.padEnd(width)}${dim(comes)}\n`,
  );
  return (
    `\nTry, in another terminal:\n\n${lines.join("")}` +
    `\n${dim("Ctrl-C ends both; the next start goes on where this one stopped.")}\n`
  );
}
