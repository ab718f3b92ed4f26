import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList, printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, type JsonFlag } from "../settings-flags.ts";
import { withActor, type ActingFlags } from "../target/target-flags.ts";

type Flags = ActingFlags & JsonFlag;

/** `dm`: direct messages of a linked account. */
export function dm(io: Io): Command {
  return new Command("dm")
    .description("direct messages: send and read as an account")
    .addCommand(send(io))
    .addCommand(list(io));
}

function send(io: Io): Command {
  const command = withJson(withActor(new Command("send")), "as JSON")
    .description("write to somebody as an account; the bot is not asked")
    .argument("<to>", "a handle or a user id")
    .argument("<text>", "what to write; - reads it from stdin");
  const examples = [
    'answerback dm send @ana "Your order has left."',
    'echo "from a file" | answerback dm send @ana -',
  ];
  return withExamples(command, examples).action(async (to: string, given: string, flags: Flags) => {
    const text = given === "-" ? (await io.input.text()).trim() : given;
    if (text === "") throw new UsageError("there is nothing to write");
    const { onTarget } = await import("../target/target.ts");
    const sent = await onTarget(io, flags, async (target) => {
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
    .description("messages of an account, newest first, 30 days back")
    .option("--with <person>", "of the conversation with this person only")
    .option("--limit <number>", "so many at most", whole, 20);
  const examples = ["answerback dm list --with @ana", "answerback dm list --limit 5 --json"];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { onTarget } = await import("../target/target.ts");
    const { take } = await import("../take.ts");
    const { rows, names } = await onTarget(io, flags, async (target) => {
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
        rows: await take(events, flags.limit),
        names: new Map(known.map(({ id, username }) => [id, `@${username}`])),
      };
    });
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "AT", of: ({ created_at }) => shownTime(created_at) },
        { title: "FROM", of: ({ sender_id }) => names.get(sender_id ?? "") ?? sender_id },
        { title: "TEXT", of: ({ text, event_type }) => text ?? event_type },
      ],
      "There is no message.",
    );
  });
}
