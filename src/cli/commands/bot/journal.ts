import { Command } from "commander";
import type { Answers } from "../../../runtime/control/contract.ts";
import { trunkOf } from "../../../runtime/runs/parallel/branch-owner.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { positiveInteger } from "../../arguments/numbers.ts";
import { printList } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import { type CommonFlags, withCommonFlags } from "../../arguments/settings-flags.ts";

interface JournalFlags extends CommonFlags {
  readonly account?: string;
  readonly before?: number;
  readonly limit: number;
}

/** `journal`: the events that the running bot has received, and the runs they started. */
export function journal(io: Io): Command {
  const command = withCommonFlags(new Command("journal"))
    .description("list the events that the running bot has received, newest first")
    .option("--account <id>", "only events of the bot account with this user id")
    .option("--before <seq>", "only events before this sequence number", positiveInteger)
    .option("--limit <number>", "maximum number of results", positiveInteger, 20);
  const examples = ["answerback journal", "answerback journal --limit 1 --json"];
  return withExamples(command, examples).action(async (flags: JournalFlags) => {
    const { askRunning } = await import("../../target/ask-running.ts");
    const { account, before, limit } = flags;
    const rows = await askRunning(io, flags, "journal", {
      limit,
      ...(account === undefined ? {} : { account }),
      ...(before === undefined ? {} : { before }),
    });
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "SEQ", of: ({ seq }) => seq },
        { title: "ARRIVED", of: ({ arrivedAt }) => formatTime(arrivedAt) },
        { title: "KIND", of: ({ kind }) => kind },
        { title: "FROM", of: ({ source }) => source },
        { title: "STATE", of: ({ state }) => state },
        { title: "RAN", of: ({ runs }) => runs.filter(isWhole).map(describeRun).join(", ") },
      ],
      "No event has been received.",
    );
  });
}

/** A branch is told of with the run that it belongs to. */
function isWhole({ id }: Pick<Answers["journal"][number]["runs"][number], "id">): boolean {
  return trunkOf(id) === undefined;
}

function describeRun({ owner, status }: Answers["journal"][number]["runs"][number]): string {
  return status === "done" ? owner : `${owner} (${status})`;
}
