import { Command, Option } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { positiveSeconds } from "../../arguments/numbers.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";
import { askBot } from "../../talk/ask-bot.ts";
import { printAnswer, printSilence } from "../../talk/print-answer.ts";
import { localSandbox } from "../../target/sandbox-control.ts";
import { shell } from "../../../text/shell.ts";

interface SendFlags extends CommonFlags {
  readonly post?: boolean;
  readonly reply?: boolean;
  readonly follow?: boolean;
  readonly wait: number;
}

const HANDLE = /^@?\w+$/;

/** `send`: writes to the bot as a sandbox user, and prints its answers, or why there is none. */
export function send(io: Io): Command {
  const command = withCommonFlags(new Command("send"), "print answers as JSON, one per line")
    .description("send the bot a message as a sandbox user, and print what it answers")
    .argument(
      "<person>",
      "sandbox user who sends it, such as @ana; created if it does not exist",
      wholeHandle,
    )
    .argument("[text]", "text of the message, post or reply")
    .option("--post", "publish a post instead; mention the bot in it")
    .addOption(
      new Option("--reply", "reply to the bot's newest post to this person").conflicts("post"),
    )
    .addOption(
      new Option("--follow", "follow the bot instead of writing to it").conflicts([
        "post",
        "reply",
      ]),
    )
    .option("--wait <seconds>", "longest time to wait for answers", positiveSeconds, 10);
  const examples = [
    'answerback send @ana "what are your hours?"',
    'answerback send @ben --post "@hello_bot are you open?"',
    'answerback send @ben --reply "on Sundays, too?"',
    "answerback send @ben --follow",
  ];
  const after =
    "Ends after the bot's last answer. Exits with 3 if the bot does not answer, and prints the reason.";
  return withExamples(command, examples, after).action(
    async (person: string, text: string | undefined, flags: SendFlags) => {
      refuseUnfit(person, text, flags);
      const sandbox = await localSandbox(io, flags);
      const kind = (["post", "reply", "follow"] as const).find((one) => flags[one]) ?? "dm";
      const bot = sandbox.file.bot.username;
      const waitMs = flags.wait * 1_000;
      const talkOutcome = await askBot({
        sandbox,
        username: person,
        kind,
        text: text ?? "",
        waitMs,
        signal: io.signal,
        onAnswer: (answer) => printAnswer(io, { bot, json: flags.json }, answer),
      });
      if (talkOutcome.answers > 0) return;
      await printSilence(io, talkOutcome, { sandbox, waitMs, flags });
      throw new ExitError(EXIT.problems);
    },
  );
}

/** Refuses a missing text, and a text beside `--follow`. */
function refuseUnfit(person: string, text: string | undefined, { follow }: SendFlags): void {
  if (follow === true) {
    if (text === undefined) return;
    throw new UsageError("--follow sends no text", {
      hint: `send the text by itself: ${shell`answerback send ${person} ${text}`}`,
    });
  }
  if (text !== undefined && text !== "") return;
  if (HANDLE.test(person)) {
    throw new UsageError("the text is empty", {
      hint: `write: ${shell`answerback send ${person} "what are your hours?"`}`,
    });
  }
  throw new UsageError(`${JSON.stringify(person)} is not the handle of a person`, {
    hint: `write the person first: ${shell`answerback send @ana ${person}`}`,
  });
}
