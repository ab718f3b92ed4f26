import { Command, InvalidArgumentError } from "commander";
import { UsageError } from "../errors.ts";
import { ended, type Io } from "./io.ts";

interface SandboxFlags {
  readonly port: number;
  readonly seed?: string;
  readonly state?: string;
  readonly ephemeral?: boolean;
  readonly json?: boolean;
}

/** `sandbox`: the platform on this machine, and nothing else. */
export function sandbox(io: Io): Command {
  return new Command("sandbox")
    .description("run the platform on this machine, for anything that talks to it")
    .option("-p, --port <port>", "port on 127.0.0.1; 0 takes a free one", port, 8090)
    .option("--seed <text>", "makes ids, secrets and draws reproducible")
    .option("--state <file>", "keep the world in this file")
    .option("--ephemeral", "keep nothing, whatever --state says")
    .option("--json", "print one line of JSON when ready")
    .addHelpText("after", "\nExamples:\n  answerback sandbox --port 0 --json\n")
    .action(async (flags: SandboxFlags) => {
      const { readyLine, startSandbox } = await import("../sandbox/index.ts");
      const keeps = flags.ephemeral === true ? undefined : flags.state;
      const running = await startSandbox({
        port: flags.port,
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(keeps === undefined ? {} : { state: keeps }),
      }).catch((error: unknown) => {
        throw busyPort(error, flags.port);
      });
      if (flags.json === true) io.out(`${readyLine(running)}\n`);
      else {
        io.err(`The platform is up.\n`);
        io.out(
          `base_url       ${running.url}\nads_base_url   ${running.adsUrl}\n` +
            `control_url    ${running.control.url}\ncontrol_token  ${running.control.token}\n`,
        );
        io.err("Press Ctrl-C to end it.\n");
      }
      await ended(io);
      await running.close();
    });
}

/** A port number, 0 to 65535. */
export function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("a port is a number from 0 to 65535.");
}

/** The error of a busy port in words that say what to do; any other error as it is. */
export function busyPort(error: unknown, wanted: number): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "EADDRINUSE") return error;
  return new UsageError(`port ${wanted} is busy`, {
    cause: error,
    hint: "end the program that listens there, or choose another: --port 0 takes a free one",
  });
}
