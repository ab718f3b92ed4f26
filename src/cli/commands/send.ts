import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import { Ended, EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { seconds } from "../numbers.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface SendFlags extends SettingsFlags, JsonFlag {
  readonly post?: boolean;
  readonly follow?: boolean;
  readonly wait: number;
}

/** `send`: speaks to the bot as a person of the sandbox, and prints what it answers. */
export function send(io: Io): Command {
  const command = withJson(withSettings(new Command("send")), "print the answer as a line of JSON")
    .description("speak to the bot as a person of the sandbox, and print its answer")
    .argument("<person>", "who speaks, such as @ana; made when there is nobody of that name")
    .argument("[text]", "what they say")
    .option("--post", "as a public post; mention the bot to be heard")
    .option("--follow", "follow the bot instead of saying something")
    .option("--wait <seconds>", "how long to wait for an answer", seconds, 10);
  const examples = [
    'answerback send @ana "what are your hours?"',
    'answerback send @ben --post "@hello_bot are you open?"',
    "answerback send @ben --follow",
  ];
  const after = "Exits with 3 when no answer came in time.";
  return withExamples(command, examples, after).action(
    async (person: string, text: string | undefined, flags: SendFlags) => {
      if (flags.follow !== true && (text === undefined || text === "")) {
        throw new UsageError("there is nothing to say", {
          hint: `write: answerback send ${person} "what are your hours?"`,
        });
      }
      const { localSandbox } = await import("../target/sandbox-control.ts");
      const sandbox = await localSandbox(io, flags);
      const { converse } = await import("../talk/converse.ts");
      const how = flags.follow === true ? "follow" : flags.post === true ? "post" : "dm";
      const answer = await converse({
        sandbox,
        username: person,
        how,
        text: text ?? "",
        waitMs: flags.wait * 1_000,
        signal: io.signal,
      });
      const from = sandbox.file.bot.username;
      if (answer === undefined) {
        io.err(`@${from} said nothing within ${flags.wait} s.\n`);
        throw new Ended(EXIT.found);
      }
      if (flags.json === true) io.out(`${JSON.stringify({ from, ...answer })}\n`);
      else io.out(`@${from}: ${answer.text}\n`);
    },
  );
}
