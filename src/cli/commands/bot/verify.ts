import { formatTime } from "../../output/format-time.ts";
import { Command } from "commander";
import { positiveInteger } from "../../arguments/numbers.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList } from "../../output/print.ts";
import { counted } from "../../../text/counted.ts";

interface VerifyFlags extends CommonFlags {
  readonly hours: number;
}

/** `verify`: compares what the bot has stored with what the platform shows. */
export function verify(io: Io): Command {
  const command = withCommonFlags(new Command("verify"), "print one JSON object a difference")
    .description("compare stored events and answers with the platform, and list the differences")
    .option("--hours <number>", "how far back", positiveInteger, 24);
  const examples = ["answerback verify", "answerback verify --hours 2 --json"];
  const after = `Direct messages and mentions are compared. A difference is
  unanswered  an answer was decided on, or is still to be, and was not sent
  doubled     the platform shows the same answer twice
  untold      the platform shows what the bot does not know
Exits with 1 if there is one, or if something could not be read.`;
  return withExamples(command, examples, after).action(async (flags: VerifyFlags) => {
    const { verify: compareAll } = await import("../../verify/verify.ts");
    const { differences, events, answers, refused } = await compareAll(io, flags, flags.hours);
    const { tellClock } = await import("../../target/platform-time.ts");
    if (differences.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      differences,
      [
        { title: "KIND", of: ({ kind }) => kind },
        { title: "AT", of: ({ at }) => formatTime(Date.parse(at)) },
        { title: "LANE", of: ({ lane }) => lane },
        { title: "EVENT", of: ({ seq }) => seq },
        { title: "ITEM", of: ({ item }) => item },
        { title: "WHAT", of: ({ reason }) => reason },
      ],
      `All is well: ${counted(events, "event")}, ${counted(answers, "answer")}.`,
    );
    for (const what of refused) io.err(`Not read: ${what}\n`);
    if (differences.length + refused.length > 0) throw new ExitError(EXIT.failure);
  });
}
