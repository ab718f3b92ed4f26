import { firstItems } from "../../target/first-items.ts";
import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { textArgument } from "../../arguments/read-input.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { textAsWritten } from "../../output/text-as-written.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { withJson, type JsonFlag, wholeHandle } from "../../arguments/settings-flags.ts";
import type { PlatformTarget, UserRef } from "../../target/target.ts";
import { withActor, type ActingFlags, withTarget } from "../../target/target-flags.ts";

type Flags = ActingFlags & JsonFlag;

/** `dm`: reads and sends direct messages of an account. */
export function dm(io: Io): Command {
  return new Command("dm")
    .description("send and list direct messages of an account")
    .addCommand(send(io))
    .addCommand(list(io));
}

function send(io: Io): Command {
  const command = withJson(withActor(new Command("send")), "print JSON")
    .description("send a message as an account, without the bot")
    .argument("<to>", "handle or user id of the recipient", wholeHandle)
    .argument("<text>", "text of the message; - for stdin");
  const examples = [
    'answerback dm send @ana "Your order has left."',
    'echo "from a file" | answerback dm send @ana -',
  ];
  return withExamples(command, examples).action(
    async (to: string, messageText: string, flags: Flags) => {
      const text = await textArgument(io, messageText);
      const sent = await withTarget(io, flags, async (target) => {
        const { client, username } = await target.as(flags.as);
        const participantId = (await target.user(to)).id;
        return { from: username, ...(await client.dms.send({ participantId, text })) };
      });
      printRecord(io, flags.json, sent, [
        ["from", `@${sent.from}`],
        ["message", sent.dm_event_id],
        ["conversation", sent.dm_conversation_id],
      ]);
    },
  );
}

interface ListFlags extends Flags {
  readonly with?: string;
  readonly limit: number;
}

const LARGEST_PAGE = 100;

function list(io: Io): Command {
  const command = withJson(withActor(new Command("list")))
    .description("list an account's messages of the last 30 days, newest first")
    .option("--with <person>", "only the conversation with this user", wholeHandle)
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = ["answerback dm list --with @ana", "answerback dm list --limit 5 --json"];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { tellClock } = await import("../../target/platform-time.ts");
    const { me, rows, names } = await withTarget(io, flags, async (target) => {
      const me = await target.as(flags.as);
      const other = flags.with === undefined ? undefined : await target.user(flags.with);
      const params = {
        dmEventFields: ["sender_id", "created_at", "text", "entities", "dm_conversation_id"],
        maxResults: Math.min(flags.limit, LARGEST_PAGE),
      } as const;
      const { dms } = me.client;
      const events = other === undefined ? dms.events(params) : dms.eventsWith(other.id, params);
      const rows = await firstItems(events, flags.limit);
      const others = rows.flatMap((row) => withWhom(row, me.id) ?? []);
      const people = flags.json === true ? [] : await peopleOf(target, others);
      const knownPeople = [me, ...people];
      return {
        me,
        rows,
        names: new Map(knownPeople.map(({ id, username }) => [id, `@${username}`])),
      };
    });
    const nameOf = (id: string | undefined) => (id === undefined ? id : (names.get(id) ?? id));
    if (rows.length > 0) await tellClock(io, flags);
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "AT", of: ({ created_at }) => formatTime(created_at) },
        { title: "WITH", of: (row) => nameOf(withWhom(row, me.id)) },
        { title: "FROM", of: ({ sender_id }) => nameOf(sender_id) },
        {
          title: "TEXT",
          of: (event) => (event.text === undefined ? event.event_type : textAsWritten(event)),
        },
      ],
      flags.with === undefined
        ? "There are no messages."
        : `There are no messages with ${flags.with}; those with others: ${withSameSettings("answerback dm list", flags)}`,
    );
  });
}

/** User id of the other participant in a conversation of two people; in a group, the sender of the message. */
function withWhom(
  { sender_id, dm_conversation_id = "" }: { sender_id?: string; dm_conversation_id?: string },
  me: string,
): string | undefined {
  const both = dm_conversation_id.split("-");
  return both.length === 2 ? both.find((id) => id !== me) : sender_id;
}

/** Looks up people by id. The result omits people who no longer exist; callers show their id instead. */
async function peopleOf(
  { app }: Pick<PlatformTarget, "app">,
  ids: readonly string[],
): Promise<readonly UserRef[]> {
  const wanted = [...new Set(ids)];
  const people: UserRef[] = [];
  for (let at = 0; at < wanted.length; at += LARGEST_PAGE) {
    people.push(...(await app.users.lookup(wanted.slice(at, at + LARGEST_PAGE))).data);
  }
  return people;
}
