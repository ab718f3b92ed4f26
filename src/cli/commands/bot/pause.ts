import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { withSameSettings } from "../../output/same-settings.ts";
import { silencedLine } from "../../output/status-lines.ts";
import { counted } from "../../../text/counted.ts";

interface PauseFlags extends CommonFlags {
  readonly account?: string;
}

/** `pause`: the bot stores events, but neither decides on them nor sends anything. */
export function pause(io: Io): Command {
  const command = withCommonFlags(new Command("pause"), "print JSON")
    .description(
      "store events, but decide and send nothing until resume; a pause survives restarts",
    )
    .option(
      "--account <handle>",
      "only this account, by handle or user id (default: all accounts)",
      wholeHandle,
    );
  const examples = ["answerback pause", "answerback pause --account hello_bot"];
  return withExamples(command, examples).action(async (flags: PauseFlags) => {
    const { askRunning } = await import("../../target/ask-running.ts");
    const { account } = flags;
    const request = account === undefined ? {} : { account };
    const answer = await askRunning(io, flags, "pause", request);
    if (!answer.done) throw refusal(answer);
    const text = answer.changed ? "" : "The bot was already paused.\n";
    io.out(flags.json === true ? `${JSON.stringify(answer)}\n` : text + pausedText(answer));
  });
}

interface ResumeFlags extends PauseFlags {
  readonly person?: string;
  readonly drop?: true;
}

/** `resume`: ends a pause, or sends answers that are held back. */
export function resume(io: Io): Command {
  const command = withCommonFlags(new Command("resume"), "print JSON")
    .description("end a pause, or answer a person again and send the answers held back for them")
    .option(
      "--account <handle>",
      "only this account, by handle or user id (default: all accounts)",
      wholeHandle,
    )
    .option(
      "--person <handle>",
      "answer this person (handle or user id) again, and send the answers held back for them",
      wholeHandle,
    )
    .option("--drop", "with --person: discard the held answers instead of sending them");
  const examples = [
    "answerback resume",
    "answerback resume --account hello_bot",
    "answerback resume --person ana",
    "answerback resume --person ana --drop",
  ];
  return withExamples(command, examples).action(async (flags: ResumeFlags) => {
    const { askRunning } = await import("../../target/ask-running.ts");
    const { account, person, drop = false } = flags;
    if (drop && person === undefined) {
      throw new UsageError(
        "--drop discards the held answers to one person, and no person is named",
        {
          hint: "name the person: answerback resume --person ana --drop",
        },
      );
    }
    const answer = await askRunning(io, flags, "resume", {
      drop,
      ...(account === undefined ? {} : { account }),
      ...(person === undefined ? {} : { person }),
    });
    if (!answer.done) throw refusal(answer);
    if (person !== undefined && !answer.changed) {
      const { refuseStranger } = await import("../../target/named.ts");
      await refuseStranger({ journal: (page) => askRunning(io, flags, "journal", page) }, person);
    }
    if (flags.json === true) io.out(`${JSON.stringify(answer)}\n`);
    else {
      const text = person === undefined ? resumedText(answer) : releasedText(answer, person, drop);
      io.out(withSameSettings(text + silencedText(answer), flags));
    }
  });
}

type Done<Answer> = Extract<Answer, { done: true }>;

function refusal({ reason, hint }: Extract<Answers["pause"], { done: false }>): UsageError {
  return new UsageError(reason, { hint });
}

function pausedText({ paused }: Done<Answers["pause"]>): string {
  const accounts = paused.map(
    ({ account, username, since }) =>
      `paused    ${account === undefined ? "all accounts" : `@${username ?? account}`} since ${since}\n`,
  );
  return accounts.join("");
}

function resumedText(answer: Done<Answers["resume"]>): string {
  const first = answer.changed ? "Resumed.\n" : "Nothing was paused.\n";
  return first + pausedText(answer);
}

function silencedText({ silenced = [] }: Done<Answers["resume"]>): string {
  return silenced.map((one) => `silent    ${silencedLine(one)}\n`).join("");
}

function releasedText(
  { items, escalations = [] }: Done<Answers["resume"]>,
  person: string,
  drop: boolean,
): string {
  const name = person.replace(/^@/, "");
  const ids = escalations.join(", ");
  const back = ids === "" ? "" : `The bot answers ${name} again: escalation ${ids} is resolved.\n`;
  if (items === 0 && back !== "") return back;
  if (items === 0) return `Nothing is held back for ${name}.\n`;
  const answers = counted(items, "answer");
  return `${back}${answers} to ${name} ${drop ? "discarded" : "are being sent; the limits count from zero again"}.\n`;
}
