import { Command, InvalidArgumentError } from "commander";
import { UsageError } from "../errors.ts";
import { Ended, EXIT, NotRunningError } from "./exit-codes.ts";
import type { Io } from "./io.ts";
import { isAlive, readSandboxFile, type SandboxFile } from "./sandbox-file.ts";
import { dataFolder, settingsFor, withSettings, type SettingsFlags } from "./settings-flags.ts";

interface SendFlags extends SettingsFlags {
  readonly post?: boolean;
  readonly follow?: boolean;
  readonly wait: number;
  readonly json?: boolean;
}

/** `send`: speaks to the bot as a person of the sandbox, and prints what it answers. */
export function send(io: Io): Command {
  return withSettings(new Command("send"))
    .description("speak to the bot as a person of the sandbox, and print its answer")
    .argument("<person>", "who speaks, such as @ana; made when there is nobody of that name")
    .argument("[text]", "what they say")
    .option("--post", "as a public post; mention the bot to be heard")
    .option("--follow", "follow the bot instead of saying something")
    .option("--wait <seconds>", "how long to wait for an answer", seconds, 10)
    .option("--json", "print the answer as a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  answerback send @ana "what are your hours?"
  answerback send @ben --post "@hello_bot are you open?"
  answerback send @ben --follow

Exits with 3 when no answer came in time.`,
    )
    .action(async (person: string, text: string | undefined, flags: SendFlags) => {
      if (flags.follow !== true && (text === undefined || text === "")) {
        throw new UsageError("there is nothing to say", {
          hint: `write: answerback send ${person} "what are your hours?"`,
        });
      }
      const settings = await settingsFor(io, flags);
      const sandbox = await runningSandbox(dataFolder(settings));
      const { converse } = await import("./converse.ts");
      const how = flags.follow === true ? "follow" : flags.post === true ? "post" : "dm";
      const answer = await converse({
        sandbox,
        username: person.replace(/^@/, ""),
        how,
        text: text ?? "",
        waitMs: flags.wait * 1_000,
        signal: io.signal,
      });
      if (answer === undefined) {
        io.err(`@${sandbox.bot.username} said nothing within ${flags.wait} s.\n`);
        throw new Ended(EXIT.found);
      }
      const from = sandbox.bot.username;
      if (flags.json === true) io.out(`${JSON.stringify({ from, ...answer })}\n`);
      else io.out(`@${from}: ${answer.text}\n`);
    });
}

/** The sandbox that `dev` runs on this data folder. */
export async function runningSandbox(folder: string): Promise<SandboxFile> {
  const file = await readSandboxFile(folder);
  if (file !== undefined && isAlive(file.pid)) return file;
  throw new NotRunningError(`nothing runs with the data folder ${folder}`, {
    hint: "start sandbox and bot in another terminal: answerback dev   (npm start in the repository)",
  });
}

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError("a number of seconds above 0.");
}
