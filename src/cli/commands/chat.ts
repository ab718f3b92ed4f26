import { Command } from "commander";
import { endingItself } from "../ending.ts";
import { withExamples } from "../examples.ts";
import { Ended, EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";
import { seconds } from "../numbers.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface ChatFlags extends SettingsFlags, JsonFlag {
  readonly as: string;
  readonly wait: number;
}

/** `chat`: a conversation with the bot, line by line, as anybody of the sandbox. */
export function chat(io: Io): Command {
  const command = withJson(withSettings(new Command("chat")), "print answers as JSON, one a line")
    .description("talk with the bot in the terminal, as a person of the sandbox")
    .option("--as <handle>", "who speaks; made when there is nobody of that name", "@ana")
    .option("--wait <seconds>", "piped: how long to wait for each answer", seconds, 10);
  const examples = [
    "answerback chat --as @ben",
    'printf "hello\\nwhat are your hours?\\n" | answerback chat',
  ];
  const after =
    "At the prompt /post TEXT says it in public, /follow follows the bot, /as @ben changes who speaks.\n" +
    "Piped, each line waits for its answer; exits with 3 when one had none.";
  return endingItself(withExamples(command, examples, after)).action(async (flags: ChatFlags) => {
    const { localSandbox } = await import("../target/sandbox-control.ts");
    const { typedChat, pipedChat } = await import("../talk/chat.ts");
    const sandbox = await localSandbox(io, flags);
    const options = { io, sandbox, handle: flags.as, json: flags.json === true };
    if (io.input.isTerminal) {
      await typedChat(options);
      return;
    }
    const unanswered = await pipedChat({ ...options, waitMs: flags.wait * 1_000 });
    if (unanswered > 0) throw new Ended(EXIT.found);
  });
}
