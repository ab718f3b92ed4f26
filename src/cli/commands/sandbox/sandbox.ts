import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Command } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import type { Console } from "../../../console/serve-console.ts";
import type { RunningSandbox } from "../../../sandbox/index.ts";
import type { Log } from "../../../runtime/log.ts";
import { messageOf } from "../../../system/error-message.ts";
import { visible } from "../../../text/unseen.ts";
import { portBusyError, port } from "../../arguments/ports.ts";
import { worldError } from "../../output/world-error.ts";
import { exists, wholePath } from "../../arguments/settings-flags.ts";

interface SandboxFlags {
  readonly port: number;
  readonly seed?: string;
  readonly state?: string;
  readonly ephemeral?: boolean;
  readonly json?: boolean;
  readonly console?: boolean;
}

const DAMAGED_HINT = "bring back a copy of the file, or name another one with --state";

/** `sandbox`: runs the sandbox without a bot. */
export function sandbox(io: Io): Command {
  const command = new Command("sandbox")
    .description("run only the sandbox, for any client of the platform")
    .option("-p, --port <port>", "port on 127.0.0.1; 0 for any free one", port, 8090)
    .option("--seed <text>", "seed that makes ids, secrets and random choices reproducible")
    .option("--state <file>", "load the sandbox's data from this file and save it there", wholePath)
    .option("--ephemeral", "save nothing; with --state, load the file and leave it unchanged")
    .option("--no-console", "do not serve the console")
    .option("--json", "print one JSON object when ready");
  return withGracefulStop(withExamples(command, ["answerback sandbox --port 0 --json"])).action(
    async (flags: SandboxFlags) => {
      io.ends?.endWithReader();
      const { readyLine } = await import("../../../sandbox/index.ts");
      const state = flags.state === undefined ? undefined : resolve(io.cwd, flags.state);
      const running = await started(flags, state).catch((error: unknown) => {
        const cause = state === undefined ? error : worldError(error, state, DAMAGED_HINT);
        throw portBusyError(cause, flags.port);
      });
      const savedIn = flags.ephemeral === true ? undefined : state;
      const shown = flags.console === false ? undefined : await consoleOf(io, running, savedIn);
      const invited = await shown?.invite();
      if (flags.json === true) {
        const line: object = JSON.parse(readyLine(running));
        io.out(
          `${JSON.stringify({ ...line, console_url: invited?.url, console_code: invited?.code })}\n`,
        );
      } else {
        io.err(`The sandbox is up.\n`);
        io.out(
          `base_url       ${running.url}\nads_base_url   ${running.adsUrl}\n` +
            `control_url    ${running.control.url}\ncontrol_token  ${running.control.token}\n` +
            (invited === undefined
              ? ""
              : `console        ${invited.page}\nconsole_code   ${invited.code}\n`),
        );
        io.err("Press Ctrl-C to stop it.\n");
      }
      await interrupted(io);
      await shown?.close();
      await running.close();
    },
  );
}

/** Starts the sandbox with the data of a file. With `--ephemeral`, it uses a temporary copy, deleted when it closes. */
async function started(
  { port, seed, ephemeral }: SandboxFlags,
  state: string | undefined,
): Promise<RunningSandbox> {
  const { startSandbox } = await import("../../../sandbox/index.ts");
  const options = { port, ...(seed !== undefined && { seed }) };
  if (state === undefined) return startSandbox(options);
  if (ephemeral !== true) return startSandbox({ ...options, state });
  const { copyWorld } = await import("../../../sandbox/copy-world.ts");
  const folder = await mkdtemp(join(tmpdir(), "answerback-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(state));
    if (await exists(dirname(state), ".")) await copyWorld(state, copy);
    if (await exists(dirname(state), `${basename(state)}.token`))
      await copyFile(`${state}.token`, `${copy}.token`);
    const running = await startSandbox({ ...options, state: copy });
    const close = async (): Promise<void> => {
      await running.close();
      await remove();
    };
    return { ...running, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Starts the console of a sandbox without a bot on a free port. If the sandbox's state is saved, so are sign-ins to the
 * console.
 */
async function consoleOf(
  io: Io,
  running: RunningSandbox,
  state: string | undefined,
): Promise<Console> {
  const { serveConsole } = await import("../../../console/serve-console.ts");
  const { url: baseUrl, adsUrl, control } = running;
  return serveConsole({
    at: { host: "127.0.0.1", port: 0 },
    linkRole: "operator",
    sandbox: { baseUrl, adsUrl, control },
    log: logOn(io),
    ...(state !== undefined && { folder: dirname(state) }),
  });
}

/** Log that prints only warnings and errors of the console, one line each. */
function logOn(io: Io): Log {
  const say = (first: string | object, message?: string): void => {
    const error: { err?: unknown } = Object(first);
    const what = typeof first === "string" ? first : `${message ?? ""}: ${messageOf(error.err)}`;
    io.err(`console: ${visible(what)}\n`);
  };
  const silent = (): void => {};
  const log: Log = { debug: silent, info: silent, warn: say, error: say, child: () => log };
  return log;
}
