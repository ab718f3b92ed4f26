import { Command, Option } from "commander";
import { describeAction } from "../../actions/action.ts";
import type { Item } from "../../runtime/store/store.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { whole } from "../numbers.ts";
import { printList } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import { withJson, withSettings, type JsonFlag, type SettingsFlags } from "../settings-flags.ts";

interface OutboxFlags extends SettingsFlags, JsonFlag {
  readonly status?: string;
  readonly limit: number;
}

/** `outbox`: what the running bot has sent, and what became of it. */
export function outbox(io: Io): Command {
  const command = withJson(withSettings(new Command("outbox")))
    .description("what the running bot sends, newest first")
    .addOption(
      new Option("--status <status>", "only items that are so").choices([
        "pending",
        "sending",
        "sent",
        "failed",
        "expired",
        "unknown",
      ]),
    )
    .option("--limit <number>", "so many at most", whole, 20);
  const examples = ["answerback outbox", "answerback outbox --status failed --json"];
  return withExamples(command, examples).action(async (flags: OutboxFlags) => {
    const { askRunning } = await import("../target/ask-running.ts");
    const query = new URLSearchParams({ limit: String(flags.limit) });
    if (flags.status !== undefined) query.set("status", flags.status);
    const items = await askRunning<Item[]>(io, flags, `/outbox?${query.toString()}`);
    printList(
      io,
      flags.json,
      items,
      [
        { title: "ID", of: ({ id }) => id },
        { title: "EVENT", of: ({ seq }) => seq },
        { title: "STATUS", of: ({ status }) => status },
        { title: "TRIES", of: ({ attempts }) => attempts },
        { title: "SETTLED", of: ({ settledAt }) => shownTime(settledAt) },
        { title: "WHY", of: ({ reason }) => reason },
        { title: "ACTION", of: ({ action }) => describeAction(action) },
      ],
      "The bot has sent nothing.",
    );
  });
}
