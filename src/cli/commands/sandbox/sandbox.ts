import { Command } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { interrupted, type Io } from "../../io.ts";
import { portBusyError, port } from "../../arguments/ports.ts";

interface SandboxFlags {
  readonly port: number;
  readonly seed?: string;
  readonly state?: string;
  readonly ephemeral?: boolean;
  readonly json?: boolean;
}

/** `sandbox`: the platform on this machine, without a bot. */
export function sandbox(io: Io): Command {
  const command = new Command("sandbox")
    .description("run only the sandbox, for any client of the platform")
    .option("-p, --port <port>", "port on 127.0.0.1; 0 for any free one", port, 8090)
    .option("--seed <text>", "seed that makes ids, secrets and random choices reproducible")
    .option("--state <file>", "load the sandbox's data from this file and save it there")
    .option("--ephemeral", "save nothing, even with --state")
    .option("--json", "print one JSON object when ready");
  return withGracefulStop(withExamples(command, ["answerback sandbox --port 0 --json"])).action(
    async (flags: SandboxFlags) => {
      const { readyLine, startSandbox } = await import("../../../sandbox/index.ts");
      const stateFile = flags.ephemeral === true ? undefined : flags.state;
      const running = await startSandbox({
        port: flags.port,
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(stateFile === undefined ? {} : { state: stateFile }),
      }).catch((error: unknown) => {
        throw portBusyError(error, flags.port);
      });
      if (flags.json === true) io.out(`${readyLine(running)}\n`);
      else {
        io.err(`The sandbox is up.\n`);
        io.out(
          `base_url       ${running.url}\nads_base_url   ${running.adsUrl}\n` +
            `control_url    ${running.control.url}\ncontrol_token  ${running.control.token}\n`,
        );
        io.err("Press Ctrl-C to stop it.\n");
      }
      await interrupted(io);
      await running.close();
    },
  );
}
