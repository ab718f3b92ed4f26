import { Command, Option } from "commander";
import type { ItemStatus } from "../../../runtime/store/item.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

const ITEM_STATUSES = [
  "pending",
  "sending",
  "sent",
  "failed",
  "expired",
  "unknown",
] as const satisfies readonly ItemStatus[];

interface OutboxFlags extends CommonFlags {
  readonly status?: ItemStatus;
  readonly limit: number;
}

/** `outbox`: the actions of the running bot, and their outcomes. */
export function outbox(io: Io): Command {
  const command = withCommonFlags(new Command("outbox"))
    .description("list the actions that the running bot has sent or will send, newest first")
    .addOption(
      new Option("--status <status>", "only items with this status").choices(ITEM_STATUSES),
    )
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = ["answerback outbox", "answerback outbox --status failed --json"];
  return withExamples(command, examples).action(async (flags: OutboxFlags) => {
    const { describeAction } = await import("../../../actions/actions.ts");
    const { askRunning } = await import("../../target/ask-running.ts");
    const { status, limit } = flags;
    const query = status === undefined ? { limit } : { limit, status };
    const items = await askRunning(io, flags, "outbox", query);
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
      "The outbox is empty.",
    );
  });
}
