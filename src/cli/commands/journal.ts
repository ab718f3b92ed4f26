import { Command } from "commander";
import type { JournalRow } from "../../runtime/store/store.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface JournalFlags extends SettingsFlags, JsonFlag {
  readonly account?: string;
  readonly before?: number;
  readonly limit: number;
}

/** `journal`: what came in at the running bot, and what it did about it. */
export function journal(io: Io): Command {
  const command = withJson(withSettings(new Command("journal")))
    .description("what the running bot has received, newest first")
    .option("--account <id>", "of one bot account only, by user id")
    .option("--before <seq>", "older than this one", whole)
    .option("--limit <number>", "so many at most", whole, 20);
  const examples = ["answerback journal", "answerback journal --limit 1 --json"];
  return withExamples(command, examples).action(async (flags: JournalFlags) => {
    const { askRunning } = await import("../target/ask-running.ts");
    const query = new URLSearchParams({ limit: String(flags.limit) });
    if (flags.account !== undefined) query.set("account", flags.account);
    if (flags.before !== undefined) query.set("before", String(flags.before));
    const rows = await askRunning<JournalRow[]>(io, flags, `/journal?${query.toString()}`);
    printList(
      io,
      flags.json,
      rows,
      [
        { title: "SEQ", of: ({ seq }) => seq },
        { title: "ARRIVED", of: ({ arrivedAt }) => shownTime(arrivedAt) },
        { title: "KIND", of: ({ kind }) => kind },
        { title: "FROM", of: ({ source }) => source },
        { title: "STATE", of: ({ state }) => state },
        { title: "RAN", of: ({ runs }) => runs.map(ran).join(", ") },
      ],
      "Nothing has come in.",
    );
  });
}

function ran({ owner, status }: JournalRow["runs"][number]): string {
  return status === "done" ? owner : `${owner} (${status})`;
}
