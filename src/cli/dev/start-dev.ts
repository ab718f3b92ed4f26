import { withSameSettings } from "../output/same-settings.ts";
import { interfacesOf } from "../output/source-line.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import { startSandbox, type RunningSandbox } from "../../sandbox/index.ts";
import type { Io } from "../io.ts";
import { worldError } from "../output/world-error.ts";
import { portBusyError } from "../arguments/ports.ts";
import type { ReadyLine } from "./runtime-process.ts";
import { moveAside } from "./move-aside.ts";
import { startBot } from "./start-bot.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { isAnswering, readSandboxFile } from "../../runtime/platform.ts";
import type { SandboxFile } from "../../runtime/vocabulary.ts";
import { dataFolder, type SettingsFlags } from "../arguments/settings-flags.ts";
import { isPostgresUrl, shownUrl } from "../../system/postgres-url.ts";
import { suggestions, type Suggestion } from "./suggestions.ts";
import { shell } from "../../text/shell.ts";
import { makeOwnFolder } from "../../system/files/created-folder.ts";

/** Options of `dev`. */
export interface DevOptions extends SettingsFlags {
  /** Port of the sandbox; default any free port. */
  readonly port?: number;
  /** Stores nothing on disk. */
  readonly ephemeral?: boolean;
  /** Starts with new sandbox data and an empty store. */
  readonly fresh?: boolean;
  /** Enforces the platform's rate limits in the sandbox. */
  readonly limits?: boolean;
  /** Minimum level of the bot's log lines on the terminal. */
  readonly logLevel: string;
}

/** Sandbox users for conversations with the bot. */
const PEOPLE = [
  { username: "ana", name: "Ana" },
  { username: "ben", name: "Ben" },
] as const;

/**
 * Starts the sandbox in this process and the bot in a child process, and prints suggestions
 * to try.
 *
 * @returns A function that stops both, the bot first.
 * @throws {UsageError} if `dev` is already running with the data folder, or a port is in use.
 */
export async function startDev(
  loaded: Settings,
  flags: DevOptions,
  io: Io,
): Promise<() => Promise<void>> {
  refuseUnfit(loaded, flags);
  const cleanups: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.toReversed()) await cleanup();
  };
  try {
    await startBoth(loaded, flags, io, (cleanup) => cleanups.push(cleanup));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param onStop Gets what is to be done at the end, in reverse order. */
async function startBoth(
  loaded: Settings,
  flags: DevOptions,
  io: Io,
  onStop: (cleanup: () => Promise<void>) => void,
): Promise<void> {
  const ephemeral = flags.ephemeral === true;
  const folder = ephemeral ? await mkdtemp(join(tmpdir(), "answerback-")) : dataFolder(loaded);
  if (ephemeral) onStop(() => rm(folder, { recursive: true, force: true }));
  // Flags with which other commands reach this bot.
  const own: SettingsFlags = { ...flags, ...(ephemeral && { data: folder }) };
  const settings = ephemeral ? { ...loaded, store: { url: `file:${folder}`, folder } } : loaded;
  const earlier = await readSandboxFile(folder);
  if (earlier !== undefined && (await isAnswering(earlier))) throw running(earlier, folder);
  const place = { cwd: io.cwd, settingsFile: loaded.file, now: Date.now() };
  const movedTo = flags.fresh === true ? await moveAside(folder, place) : undefined;
  if (movedTo !== undefined) io.err(`The old data is kept in ${relative(io.cwd, movedTo)}\n`);
  const before = movedTo === undefined ? earlier : undefined;
  await makeOwnFolder(folder);

  const sandbox = await openSandbox(folder, flags);
  onStop(() => sandbox.close());
  const { file, runtime } = await startBot({
    settings,
    sandbox,
    folder,
    before,
    people: PEOPLE,
    io,
    flags: { ...flags, data: folder },
    onRestarted: () => void printNewCode(io, folder, own),
    ...(ephemeral && { store: settings.store.url }),
  });
  onStop(() => runtime.stop());
  const console = (await callRuntime(folder, "openConsole", {})) ?? {};
  const suggested = await suggestions({
    settings,
    cwd: io.cwd,
    account: file.bot,
    now: Date.parse((await sandbox.control.clock()).now),
    bots: runtime.ready.status.bots,
  });
  io.out(
    formatChecklist(io, {
      file,
      sandbox,
      ready: runtime.ready,
      hasLimits: flags.limits === true,
      folder: relative(io.cwd, folder) || folder,
      console,
      flags: own,
    }),
  );
  io.out(formatSuggestions(io, suggested, own));
}

const DAMAGED_HINT =
  "bring back a backup with: answerback restore FILE   or start with new data: answerback dev --fresh";

/** Starts the sandbox, with the folder's saved state unless `ephemeral`. */
async function openSandbox(
  folder: string,
  { port = 0, limits = false, ephemeral = false }: DevOptions,
): Promise<RunningSandbox> {
  const world = join(folder, "world.jsonl");
  const settings = { limits: { enabled: limits } };
  try {
    return await startSandbox({ port, settings, ...(ephemeral ? {} : { state: world }) });
  } catch (error) {
    throw portBusyError(worldError(error, world, DAMAGED_HINT), port);
  }
}

/** Refuses settings and flags with which `dev` can't run. @throws {UsageError} with the reason. */
function refuseUnfit(settings: Settings, flags: DevOptions): void {
  if (settings.target !== "sandbox") {
    throw new UsageError("dev needs the sandbox, and the settings have target: live", {
      hint: "run the live bot with: answerback run",
    });
  }
  const { url } = settings.store;
  if (flags.fresh === true && flags.ephemeral !== true && isPostgresUrl(url)) {
    throw new UsageError(
      `--fresh does not delete a database, and the store is in ${shownUrl(url)}`,
      {
        hint: "name another database in store:, or use a temporary store with: answerback dev --ephemeral",
      },
    );
  }
}

/** Prints a new sign-in code for the console, because codes of the ended bot process are invalid. */
async function printNewCode(io: Io, folder: string, flags: SettingsFlags): Promise<void> {
  try {
    const { page, code } = (await callRuntime(folder, "openConsole", {})) ?? {};
    if (page === undefined || code === undefined) return;
    io.out(`The bot is up again. Console: ${page}, new code: ${code}\n`);
  } catch (error) {
    const command = withSameSettings("answerback open --print", flags);
    io.err(`No new code for the console: ${messageOf(error)}; get one with: ${command}\n`);
  }
}

function running(file: SandboxFile, folder: string): UsageError {
  return new UsageError(
    `answerback dev is already running here, as process ${file.pid} with ${folder}`,
    {
      hint:
        `talk to it with: ${shell`answerback send @${file.people[0]?.username ?? "ana"} "hi"`}, stop it with Ctrl-C, ` +
        `or run a second one with: --data OTHER-FOLDER`,
    },
  );
}

interface Started {
  readonly file: SandboxFile;
  readonly sandbox: RunningSandbox;
  readonly ready: ReadyLine;
  /** Whether the sandbox enforces the platform's rate limits. */
  readonly hasLimits: boolean;
  /** Path of the data folder, for display. */
  readonly folder: string;
  /** Flags with which other commands reach this bot. */
  readonly flags: SettingsFlags;
  /** Address of the console, and a one-time code for signing in. */
  readonly console: { readonly page?: string; readonly code?: string };
}

const LIMITS_OFF =
  "off; live, an account sends 15 messages in 15 minutes: try it with dev --limits";

function formatChecklist(
  io: Io,
  { file, sandbox, ready: { status }, hasLimits, folder, console, flags }: Started,
): string {
  const { green, red, bold } = io.dataColors;
  const line = (text: string): string => `  ${green("ok")}  ${text}\n`;
  const fails = (text: string): string => `  ${red("--")}  ${text}\n`;
  const [ana, ben] = file.people;
  const waiting = status.bots.filter(({ waits }) => waits === true).map(({ name }) => name);
  const loaded = status.bots.flatMap(({ name, waits }) => (waits === true ? [] : [name]));
  const by = interfacesOf(status.source);
  const problems = status.rules.problems.length + status.botFaults.length;
  return [
    `${bold("Answerback is up.")}\n\n`,
    line(`sandbox      ${sandbox.url}`),
    status.source === "polling"
      ? line("events       messages and mentions are polled")
      : status.webhook.trouble === undefined
        ? line(
            `webhook      ${status.webhook.url}, challenge answered${by === undefined ? "" : `, by ${by}`}`,
          )
        : fails(
            `webhook      ${status.webhook.url}, not registered yet: see ${withSameSettings("answerback doctor", flags)}`,
          ),
    status.accounts.every(({ subscribed }) => subscribed)
      ? line(`account      @${file.bot.username}, subscribed`)
      : fails(`account      @${file.bot.username}, not subscribed yet`),
    line(`rules        ${status.rules.count}`),
    ...(loaded.length > 0 || waiting.length === 0
      ? [line(`bots         ${loaded.join(", ") || "none"}`)]
      : []),
    ...(waiting.length === 0
      ? []
      : [fails(`bots         ${waiting.join(", ")}, not loaded yet: events wait`)]),
    line(`people       @${ana?.username ?? ""} and @${ben?.username ?? ""}`),
    line(`limits       ${hasLimits ? "as on the live platform" : LIMITS_OFF}`),
    line(`kept in      ${folder}`),
    console.page === undefined ? "" : line(`console      ${console.page}`),
    console.code === undefined ? "" : line(`code         ${console.code}`),
    problems > 0 ? `\n  ${problems} problem(s), shown above; everything else runs.\n` : "",
  ].join("");
}

function formatSuggestions(io: Io, tries: readonly Suggestion[], flags: SettingsFlags): string {
  // npm sets this variable to the project's package. In Answerback's own repository, `npx answerback` does not work.
  const isOurs = io.env["npm_package_name"] === "answerback";
  const answerback = isOurs ? "npm run -s answerback --" : "npx answerback";
  const { dim } = io.dataColors;
  const all = tries.map(({ args, outcome }) => {
    const command = withSameSettings(`answerback ${args}`, flags);
    return { args: command.slice("answerback ".length), outcome };
  });
  const width = Math.max(...all.map(({ args }) => args.length)) + 2;
  const lines = all.map(
    ({ args, outcome }) => `  ${answerback} ${args.padEnd(width)}${dim(outcome)}\n`,
  );
  return (
    `\nTry, in another terminal:\n\n${lines.join("")}` +
    `\n${dim("Ctrl-C ends both; the next start continues where this one stopped.")}\n`
  );
}
