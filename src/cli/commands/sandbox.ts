import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { ended, type Io } from "../io.ts";
import { busyPort, port } from "../ports.ts";

interface SandboxFlags {
  readonly port: number;
  readonly seed?: string;
  readonly state?: string;
  readonly ephemeral?: boolean;
  readonly json?: boolean;
}

/** `sandbox`: the platform on this machine, and nothing else. */
export function sandbox(io: Io): Command {
  const command = new Command("sandbox")
    .description("run the platform on this machine, for anything that talks to it")
    .option("-p, --port <port>", "port on 127.0.0.1; 0 takes a free one", port, 8090)
    .option("--seed <text>", "makes ids, secrets and draws reproducible")
    .option("--state <file>", "keep the world in this file")
    .option("--ephemeral", "keep nothing, whatever --state says")
    .option("--json", "print one line of JSON when ready");
  return endingItself(withExamples(command, ["answerback sandbox --port 0 --json"])).action(
    async (flags: SandboxFlags) => {
      const { readyLine, startSandbox } = await import("../../sandbox/index.ts");
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
    },
  );
}
