import { withSameSettings } from "../../../output/same-settings.ts";
import { Command, Option } from "commander";
import { countedAs } from "../../../../runtime/records.ts";
import type { Answers, CountedStatus } from "../../../../runtime/vocabulary.ts";
import type { Stored } from "../../../target/stored.ts";
import { withDefault, withExamples } from "../../../help/examples.ts";
import type { Io } from "../../../io.ts";
import { upTo } from "../../../arguments/numbers.ts";
import { printList } from "../../../output/print.ts";
import { formatTime } from "../../../output/format-time.ts";
import {
  type CommonFlags,
  withCommonFlags,
  whole,
  wholeHandle,
} from "../../../arguments/settings-flags.ts";
import { outboxDrop, outboxRetry, outboxSettle } from "./outbox-change.ts";
import { outboxShow } from "./outbox-show.ts";
import { oneOf } from "../../../arguments/one-of.ts";

const ITEM_STATUSES = [
  "pending",
  "sending",
  "sent",
  "failed",
  "dropped",
  "expired",
  "unknown",
  "held",
] as const satisfies readonly CountedStatus[];

/** `outbox`: lists the bot's actions with their outcomes, and what an operator can do about them. */
export function outbox(io: Io): Command {
  const group = new Command("outbox").description(
    "list the actions of the bot, and decide about those that need an operator",
  );
  return withDefault(group, list(io))
    .addCommand(outboxShow(io))
    .addCommand(outboxRetry(io))
    .addCommand(outboxSettle(io))
    .addCommand(outboxDrop(io));
}

interface ListFlags extends CommonFlags {
  readonly status?: CountedStatus;
  readonly account?: string;
  readonly lane?: string;
  readonly person?: string;
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list"))
    .description("list the actions that the bot has sent or will send, newest first")
    .addOption(oneOf(new Option("--status <status>", "only items with this status"), ITEM_STATUSES))
    .option("--account <handle>", "only items of this bot account, by handle or id", wholeHandle)
    .option("--person <user>", "only the latest conversation of this handle or id", wholeHandle)
    .option("--lane <lane>", "only items of this lane: ACCOUNT/PERSON, both ids", whole("lane"))
    .option("--limit <number>", "number of results, 1000 at most", upTo(1_000), 20);
  const examples = [
    "answerback outbox",
    "answerback outbox list --person @ana",
    "answerback outbox --status failed --json",
    'answerback outbox list --lane "$LANE"',
  ];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { withStored } = await import("../../../target/stored.ts");
    const { tellClock } = await import("../../../target/platform-time.ts");
    const { namesIn, personOf } = await import("../../../output/people.ts");
    const { describeAction } = await import("../../../../actions/actions.ts");
    const { operatorOf } = await import("../../../../runtime/records.ts");
    const { conversationWith } = await import("../../../../insight/traces/find-event.ts");
    const { accountId } = await import("../../../target/named.ts");
    const { status, account, person, limit } = flags;
    const { items, entries, counts } = await withStored(io, flags, async (stored) => {
      const lane = person === undefined ? flags.lane : await conversationWith(stored, person);
      const items = await stored.outbox({
        limit,
        ...(status === undefined ? {} : { status }),
        ...(account !== undefined && {
          account: accountId(account, await stored.accountHandles()),
        }),
        ...(lane === undefined ? {} : { lane }),
      });
      const entries = flags.json === true ? [] : await entriesOf(items, stored);
      return { items, entries, counts: (await stored.counts()).items };
    });
    const names = namesIn(entries);
    if (items.length > 0) await tellClock(io, flags);
    const whyOf = (item: ListedItem): string | undefined => reasonOf(item, operatorOf(item));
    printList(
      io,
      flags.json,
      items,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "EVENT", of: ({ seq }) => seq },
        { title: "STATUS", of: countedAs },
        { title: "PERSON", of: ({ lane }) => personOf(lane, names) },
        { title: "TRIES", of: ({ attempts }) => attempts },
        { title: "SETTLED", of: ({ settledAt }) => formatTime(settledAt) },
        { title: "WHY", of: whyOf },
        { title: "ACTION", of: ({ action }) => describeAction(action, names) },
      ],
      whatThereIs(flags, counts),
    );
  });
}

type ListedItem = Answers["outbox"][number];

function reasonOf({ reason }: ListedItem, operator: string | undefined): string | undefined {
  if (operator === undefined) return reason;
  return `by hand by ${operator}${reason === undefined ? "" : `: ${reason}`}`;
}

/** Maximum number of journal entries to search for people's handles. */
const MAX_ENTRIES = 1_000;

/** Returns the journal entries that caused the outbox items: from the newest item's entry, {@link MAX_ENTRIES} back. */
async function entriesOf(
  items: Answers["outbox"],
  stored: Pick<Stored, "entries">,
): Promise<Answers["journal"]> {
  const seqs = items.map(({ seq }) => seq);
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
  if (items.length === 0) return [];
  return stored.entries({ before: last + 1, limit: Math.min(MAX_ENTRIES, last - first + 1) });
}

/** Message for an empty list, such as `None failed of lane 1/2; 5 sent: answerback outbox`. */
function whatThereIs(flags: ListFlags, counts: Answers["status"]["store"]["items"]): string {
  const { status, account, lane } = flags;
  const there = ITEM_STATUSES.filter((each) => counts[each] > 0);
  if (there.length === 0) return "The outbox is empty.";
  const which = [
    status === undefined ? "" : ` ${status}`,
    account === undefined ? "" : ` of account ${account}`,
    lane === undefined ? "" : ` of lane ${lane}`,
  ].join("");
  const all = there.map((each) => `${counts[each]} ${each}`).join(", ");
  return `None${which}; ${all}: ${withSameSettings("answerback outbox", flags)}`;
}
