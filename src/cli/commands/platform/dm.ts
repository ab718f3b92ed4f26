import { Command } from "commander";
import { withExamples } from "../../help/examples.ts";
import { textArgument } from "../../arguments/read-input.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { withJson, type JsonFlag } from "../../arguments/settings-flags.ts";
import { withActor, type ActingFlags } from "../../target/target-flags.ts";

type Flags = ActingFlags & JsonFlag;

/** `dm`: direct messages of a linked account. */
export function dm(io: Io): Command {
  return new Command("dm")
    .description("send and list direct messages of an account")
    .addCommand(send(io))
    .addCommand(list(io));
}

function send(io: Io): Command {
  const command = withJson(withActor(new Command("send")), "print JSON")
    .description("send a message as an account, without the bot")
    .argument("<to>", "handle or user id of the recipient")
    .argument("<text>", "text of the message; - for stdin");
  const examples = [
    'answerback dm send @ana "Your order has left."',
    'echo "from a file" | answerback dm send @ana -',
  ];
  return withExamples(command, examples).action(async (to: string, given: string, flags: Flags) => {
    const text = await textArgument(io, given);
    const { withTarget } = await import("../../target/target.ts");
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
  });
}

interface ListFlags extends Flags {
  readonly with?: string;
  readonly limit: number;
}

const LARGEST_PAGE = 100;

function list(io: Io): Command {
  const command = withJson(withActor(new Command("list")))
    .description("list an account's messages of the last 30 days, newest first")
    .option("--with <person>", "only the conversation with this user")
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = ["answerback dm list --with @ana", "answerback dm list --limit 5 --json"];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { withTarget } = await import("../../target/target.ts");
    const { firstItems } = await import("../../target/first-items.ts");
    const { rows, names } = await withTarget(io, flags, async (target) => {
      const me = await target.as(flags.as);
      const other = flags.with === undefined ? undefined : await target.user(flags.with);
      const params = {
        dmEventFields: ["sender_id", "created_at", "text"],
        maxResults: Math.min(flags.limit, LARGEST_PAGE),
      } as const;
      const { dms } = me.client;
      const events = other === undefined ? dms.events(params) : dms.eventsWith(other.id, params);
      const known = [me, ...(other === undefined ? [] : [other])];
      return {
        rows: await firstItems(events, flags.limit),
        names: new Map(known.map(({ id, username }) => [id, `@${username}`])),
      };
    });
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "AT", of: ({ created_at }) => formatTime(created_at) },
        { title: "FROM", of: ({ sender_id }) => names.get(sender_id ?? "") ?? sender_id },
        { title: "TEXT", of: ({ text, event_type }) => text ?? event_type },
      ],
      "There are no messages.",
    );
  });
}
