import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { positiveInteger, upTo } from "../../arguments/numbers.ts";
import {
  type CommonFlags,
  withCommonFlags,
  whole,
  wholeHandle,
} from "../../arguments/settings-flags.ts";
import { withDefault, withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import type { Stored } from "../../target/stored.ts";
import { formatTime } from "../../output/format-time.ts";
import { printList, printRecord } from "../../output/print.ts";
import { resolveEscalations } from "./escalations-resolve.ts";
import { groupOfLane } from "../../../events/lane.ts";
import { shell } from "../../../text/shell.ts";

type Escalation = Answers["escalations"][number];

/** `escalations`: lists the hand-overs to people, and resolves them. */
export function escalations(io: Io): Command {
  const group = new Command("escalations").description(
    "list conversations handed over to a person, and mark them as resolved",
  );
  return withDefault(group, list(io)).addCommand(show(io)).addCommand(resolveEscalations(io));
}

interface ListFlags extends CommonFlags {
  readonly queue?: string;
  readonly account?: string;
  readonly person?: string;
  readonly all?: true;
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list"))
    .description("list open hand-overs, newest first")
    .option("--queue <name>", "only this queue", whole("queue"))
    .option(
      "--account <handle>",
      "only hand-overs of this bot account, by handle or id",
      wholeHandle,
    )
    .option("--person <user>", "only hand-overs of this person, by handle or id", wholeHandle)
    .option("--all", "also list resolved hand-overs")
    .option("--limit <number>", "number of results, 1000 at most", upTo(1_000), 50);
  const examples = [
    "answerback escalations",
    "answerback escalations list --queue support --json",
    "answerback escalations list --person @ana --all --limit 10",
  ];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { withStored } = await import("../../target/stored.ts");
    const { all } = flags;
    const foundEscalations = await withStored(io, flags, (stored) => listed(stored, flags));
    const { tellClock } = await import("../../target/platform-time.ts");
    if (foundEscalations.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      foundEscalations,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "SINCE", of: ({ at }) => formatTime(at) },
        { title: "QUEUE", of: ({ queue: name }) => name },
        { title: "PRIORITY", of: ({ priority }) => priority },
        { title: "PERSON", of: personOf },
        { title: "BOT PAUSED", of: pauseText },
        ...(all === true
          ? [{ title: "RESOLVED", of: ({ resolvedAt }: Escalation) => formatTime(resolvedAt) }]
          : []),
        { title: "NOTE", of: ({ note }) => note },
      ],
      all === true ? "Nothing was escalated." : "Nothing is left to take over.",
    );
  });
}

async function listed(
  stored: Stored,
  { queue, account, person, all, limit }: ListFlags,
): Promise<Answers["escalations"]> {
  const { accountId, refuseStranger } = await import("../../target/named.ts");
  const foundEscalations = await stored.escalations({
    limit,
    ...(all === true ? {} : { state: "open" }),
    ...(queue === undefined ? {} : { queue }),
    ...(account !== undefined && { account: accountId(account, await stored.accountHandles()) }),
    ...(person === undefined ? {} : { person }),
  });
  if (person === undefined || foundEscalations.length > 0) return foundEscalations;
  // the person's events may have been deleted, and the person's hand-overs not
  const [earlier] = await stored.escalations({ person, limit: 1 });
  if (earlier === undefined) await refuseStranger(stored, person);
  return foundEscalations;
}

function show(io: Io): Command {
  const command = withCommonFlags(new Command("show"), "print JSON")
    .description("show one hand-over in full: the person, the reason and the messages")
    .argument("<id>", "id of the hand-over, from escalations list", positiveInteger);
  return withExamples(command, ['answerback escalations show "$ESCALATION_ID"']).action(
    async (id: number, flags: CommonFlags) => {
      const { withStored } = await import("../../target/stored.ts");
      const [foundEscalation] = await withStored(io, flags, (stored) =>
        stored.escalations({ id, limit: 1 }),
      );
      if (foundEscalation === undefined) {
        throw new UsageError(`there is no hand-over ${id}`, {
          hint: "list all hand-overs with: answerback escalations list --all",
        });
      }
      const { tellClock } = await import("../../target/platform-time.ts");
      await tellClock(io, flags);
      const { evidence, resolvedAt } = foundEscalation;
      printRecord(io, flags.json, foundEscalation, [
        ["escalation", foundEscalation.id],
        ["since", formatTime(foundEscalation.at)],
        ["queue", foundEscalation.queue],
        ["priority", foundEscalation.priority],
        ["person", personOf(foundEscalation)],
        ["note", foundEscalation.note],
        ["evidence", evidence === undefined ? undefined : JSON.stringify(evidence)],
        ["bot paused", pauseText(foundEscalation)],
        ["resolved", formatTime(resolvedAt)],
        ["account", foundEscalation.account],
        ["lane", foundEscalation.lane],
        [
          "event",
          `${foundEscalation.seq}; its rules and runs: ${withSameSettings(shell`answerback trace ${foundEscalation.seq}`, flags)}`,
        ],
        ["run", foundEscalation.run],
        ["what to do", resolvedAt ? undefined : withSameSettings(whatToDo(foundEscalation), flags)],
      ]);
    },
  );
}

function personOf({
  username,
  account,
  lane,
}: Pick<Escalation, "account" | "lane"> & { readonly username?: string }): string | undefined {
  if (username !== undefined) return `@${username}`;
  return lane.startsWith(`${account}/`) ? lane.slice(account.length + 1) : undefined;
}

/**
 * Commands that answer the person, or the group, and end the hand-over. The person has the user id, because another
 * person may have the handle by now.
 */
function whatToDo({ id, seq, username, account, lane }: Escalation): string {
  const isInGroup = groupOfLane(lane) !== undefined;
  const person = isInGroup ? username && `@${username}` : personOf({ account, lane });
  // `answer` replies to the person's last message, which may be private: `--to` selects the message in the group.
  const command = isInGroup
    ? shell`answerback answer ${person ?? ""} TEXT --to ${seq}`
    : shell`answerback answer ${person ?? ""} TEXT`;
  const answer = person === undefined ? "" : `answer by hand: ${command}; `;
  return `${answer}when done: ${shell`answerback escalations resolve ${id}`}`;
}

/** Describes which people the bot does not answer because of the hand-over, and until when. */
function pauseText({ silences, account, lane, resolvedAt }: Escalation): string | undefined {
  if (silences === undefined || resolvedAt !== undefined) return undefined;
  const { scope, until } = silences;
  const person = groupOfLane(lane) === undefined ? "for the person" : "for the group";
  const whom = scope === account ? "for everybody" : person;
  return `${whom}, until ${until === undefined ? "" : `${formatTime(until)} or `}resolved`;
}
