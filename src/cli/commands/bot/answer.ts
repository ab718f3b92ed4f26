import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { groupOfLane } from "../../../events/lane.ts";
import { shell } from "../../../text/shell.ts";
import { visible } from "../../../text/unseen.ts";
import { positiveInteger, positiveSeconds } from "../../arguments/numbers.ts";
import {
  type CommonFlags,
  withCommonFlags,
  whole,
  wholeHandle,
} from "../../arguments/settings-flags.ts";
import { EXIT, ExitError } from "../../exit-codes.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";

interface AnswerFlags extends CommonFlags {
  readonly account?: string;
  readonly to?: number;
  readonly by?: string;
  readonly wait: number;
}

type Accepted = Extract<Answers["answerByHand"], { done: true }>;
type Item = Answers["outbox"][number];

/** `answer`: answers a person by hand, as the bot's account. */
export function answer(io: Io): Command {
  const command = withCommonFlags(new Command("answer"), "print JSON")
    .description("answer a person yourself, from the bot's account; the answer is sent once")
    .argument("<person>", "person to answer: a handle such as @ana, or a user id", wholeHandle)
    .argument("<text>", "text of the answer")
    .option(
      "--account <handle>",
      "account that answers (default: the one that received their last message)",
      wholeHandle,
    )
    .option("--to <seq>", "message or post to answer (default: their last one)", positiveInteger)
    .option(
      "--by <name>",
      "name of the author, for the record (default: the user of this machine)",
      whole("name"),
    )
    .option(
      "--wait <seconds>",
      "longest time to wait until the answer is sent",
      positiveSeconds,
      10,
    );
  const examples = [
    'answerback answer @ana "We have mended it."',
    'answerback answer @ana "See you at nine." --by Kim --account hello_bot',
    'answerback answer @ana "Yes, until ten." --to "$SEQ" --json',
  ];
  const after =
    "Also sent in quiet hours, and while a hand-over keeps the bot silent for this person. The hand-over stays open until you resolve it. Exits with 3 if the answer could not be sent.";
  return withExamples(command, examples, after).action(
    async (person: string, text: string, flags: AnswerFlags) => {
      const { askRunning } = await import("../../target/ask-running.ts");
      const { account, to, by = userName(io) } = flags;
      const accepted = await askRunning(io, flags, "answerByHand", {
        person,
        text,
        key: crypto.randomUUID(),
        ...(account === undefined ? {} : { account }),
        ...(to === undefined ? {} : { answers: to }),
        ...(by === undefined ? {} : { by }),
      });
      if (!accepted.done) throw new UsageError(accepted.reason, { hint: accepted.hint });
      const item = await settled(io, flags, accepted);
      if (flags.json === true) io.out(`${JSON.stringify({ ...accepted, ...outcomeOf(item) })}\n`);
      else tell(io, accepted, item, flags);
      if (item?.status === "failed" || item?.status === "expired") {
        throw new ExitError(EXIT.problems);
      }
    },
  );
}

/** Name of the user of this machine. */
function userName({ env }: Io): string | undefined {
  return env["USER"] || env["LOGNAME"] || env["USERNAME"] || undefined;
}

async function settled(io: Io, flags: AnswerFlags, { seq }: Accepted): Promise<Item | undefined> {
  const { dataFolder, settingsFor } = await import("../../arguments/settings-flags.ts");
  const { RuntimeConnection } = await import("../../../runtime/calls.ts");
  const { itemOfAnswer } = await import("../../talk/answer-course.ts");
  const runtime = new RuntimeConnection(dataFolder(await settingsFor(io, flags)));
  try {
    return await itemOfAnswer(runtime, seq, { waitMs: flags.wait * 1_000, signal: io.signal });
  } finally {
    runtime.close();
  }
}

function outcomeOf(item: Item | undefined) {
  if (item === undefined) return { status: "pending" };
  const { id, status, reason } = item;
  return { item: id, status, ...(reason === undefined ? {} : { reason }) };
}

function tell(io: Io, accepted: Accepted, item: Item | undefined, flags: AnswerFlags): void {
  const { person, username, accountName, account, lane, as, silentBy = [] } = accepted;
  const name = username === undefined ? person : `@${username}`;
  const isInGroup = groupOfLane(lane) !== undefined;
  const how =
    as === "reply_post"
      ? "in public, in reply to their post"
      : isInGroup
        ? "in the group"
        : "in a direct message";
  const why = item?.reason === undefined ? "" : `: ${item.reason}`;
  const look = withSameSettings(
    item === undefined
      ? shell`answerback outbox list --person ${name}`
      : shell`answerback outbox show ${item.id}`,
    flags,
  );
  if (item?.status === "sent") {
    io.out(visible(`@${accountName ?? account} has answered ${name} ${how}.`) + "\n");
  } else if (item?.status === "failed" || item?.status === "expired") {
    io.out(visible(`The answer to ${name} was not sent${why}; see: ${look}`) + "\n");
  } else {
    io.out(
      visible(`The answer to ${name} is stored, and waits to be sent${why}; see: ${look}`) + "\n",
    );
  }
  const [id] = silentBy;
  if (id !== undefined) {
    const resolve = withSameSettings(shell`answerback escalations resolve ${id}`, flags);
    io.err(
      `The bot stays silent for ${isInGroup ? "the group" : name} until it is resolved: ${resolve}\n`,
    );
  }
}
