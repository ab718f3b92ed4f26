import { Command } from "commander";
import { withGracefulStop } from "../../graceful-stop.ts";
import { withExamples } from "../../help/examples.ts";
import { ExitError, EXIT } from "../../exit-codes.ts";
import type { Io } from "../../io.ts";
import { positiveSeconds } from "../../arguments/numbers.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";

interface ChatFlags extends CommonFlags {
  readonly as: string;
  readonly wait: number;
}

/** `chat`: talks with the bot, line by line, as any sandbox user. */
export function chat(io: Io): Command {
  const command = withCommonFlags(new Command("chat"), "print answers as JSON, one per line")
    .description("chat with the bot in the terminal as a sandbox user")
    .option(
      "--as <handle>",
      "sandbox user who writes; created if it does not exist",
      wholeHandle,
      "@ana",
    )
    .option(
      "--wait <seconds>",
      "longest time to wait for the answers to one line",
      positiveSeconds,
      10,
    );
  const examples = [
    "answerback chat --as @ben",
    'printf "hello\\nwhat are your hours?\\n" | answerback chat',
  ];
  const after =
    "At the prompt, /post TEXT publishes a post, /reply TEXT replies to the bot's newest post to the user,\n" +
    "/follow follows the bot, /as @ben changes the user, and /help lists these commands. Other words after a slash go\n" +
    "to the bot, as does a command with two slashes: //help.\n" +
    "If a line gets no answer, the reason is printed. With piped input, each line waits for all answers to the line\n" +
    "before it. Exits with 3 if a line got no answer.";
  return withGracefulStop(withExamples(command, examples, after)).action(
    async (flags: ChatFlags) => {
      io.ends?.endWithReader();
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const { interactiveChat, pipedChat } = await import("../../talk/chat.ts");
      const sandbox = await localSandbox(io, flags);
      const options = { io, sandbox, handle: flags.as, waitMs: flags.wait * 1_000, flags };
      if (io.input.isTerminal) {
        await interactiveChat(options);
        return;
      }
      const unanswered = await pipedChat(options);
      if (unanswered > 0) throw new ExitError(EXIT.problems);
    },
  );
}
