import { Command, Option } from "commander";
import type { Answers } from "../../../runtime/control/contract.ts";
import type { ItemStatus } from "../../../runtime/store/item.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";
import { outboxDrop, outboxRetry, outboxSettle } from "./outbox-change.ts";
import { outboxShow } from "./outbox-show.ts";

const ITEM_STATUSES = [
  "pending",
  "sending",
  "sent",
  "failed",
  "expired",
  "unknown",
  "held",
] as const satisfies readonly ItemStatus[];

/** `outbox`: the actions of the running bot, their outcomes, and what a person can do about them. */
export function outbox(io: Io): Command {
  return new Command("outbox")
    .description("list the actions of the running bot, and settle those that need a person")
    .addCommand(list(io), { isDefault: true })
    .addCommand(outboxShow(io))
    .addCommand(outboxRetry(io))
    .addCommand(outboxSettle(io))
    .addCommand(outboxDrop(io));
}

interface ListFlags extends CommonFlags {
  readonly status?: ItemStatus;
  readonly account?: string;
  readonly lane?: string;
  readonly limit: number;
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list"))
    .description("list the actions that the running bot has sent or will send, newest first")
    .addOption(
      new Option("--status <status>", "only items with this status").choices(ITEM_STATUSES),
    )
    .option("--account <id>", "only items of the bot account with this user id")
    .option("--lane <lane>", "only items of this lane: ACCOUNT/PERSON, both user ids")
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = [
    "answerback outbox",
    "answerback outbox --status failed --json",
    'answerback outbox list --lane "$LANE"',
  ];
  return withExamples(command, examples).action(async (flags: ListFlags) => {
    const { describeAction } = await import("../../../actions/actions.ts");
    const { askRunning } = await import("../../target/ask-running.ts");
    const { status, account, lane, limit } = flags;
    const items = await askRunning(io, flags, "outbox", {
      limit,
      ...(status === undefined ? {} : { status }),
      ...(account === undefined ? {} : { account }),
      ...(lane === undefined ? {} : { lane }),
    });
    const empty =
      items.length > 0 || flags.json === true
        ? ""
        : whatThereIs(flags, (await askRunning(io, flags, "status", {})).store.items);
    printList(
      io,
      flags.json,
      items,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "EVENT", of: ({ seq }) => seq },
        { title: "STATUS", of: ({ status }) => status },
        { title: "TRIES", of: ({ attempts }) => attempts },
        { title: "SETTLED", of: ({ settledAt }) => formatTime(settledAt) },
        { title: "WHY", of: ({ reason }) => reason },
        { title: "ACTION", of: ({ action }) => describeAction(action) },
      ],
      empty,
    );
  });
}

/** `No failed items of lane 1/2; in all: 5 sent.` */
function whatThereIs(
  { status, account, lane }: ListFlags,
  counts: Answers["status"]["store"]["items"],
): string {
  const there = ITEM_STATUSES.filter((each) => counts[each] > 0);
  if (there.length === 0) return "The outbox is empty.";
  const which = [
    status === undefined ? "" : ` ${status}`,
    " items",
    account === undefined ? "" : ` of account ${account}`,
    lane === undefined ? "" : ` of lane ${lane}`,
  ].join("");
  return `No${which}; in all: ${there.map((each) => `${counts[each]} ${each}`).join(", ")}.`;
}
