import { withSameSettings } from "../../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../../errors.ts";
import type { Answers } from "../../../../runtime/vocabulary.ts";
import { withExamples } from "../../../help/examples.ts";
import type { Io } from "../../../io.ts";
import { positiveInteger } from "../../../arguments/numbers.ts";
import { printRecord } from "../../../output/print.ts";
import { formatTime } from "../../../output/format-time.ts";
import { type CommonFlags, withCommonFlags } from "../../../arguments/settings-flags.ts";
import { shell } from "../../../../text/shell.ts";

type Item = Answers["outbox"][number];
type Entry = Answers["journal"][number];

/** `outbox show`: shows all details of an action. */
export function outboxShow(io: Io): Command {
  const command = withCommonFlags(new Command("show"), "print JSON")
    .description("show one action in full: its content, reason and outcome")
    .argument("<id>", "id of the item, from outbox list", positiveInteger);
  return withExamples(command, ['answerback outbox show "$ITEM_ID"']).action(
    async (id: number, flags: CommonFlags) => {
      const { withStored } = await import("../../../target/stored.ts");
      const { tellClock } = await import("../../../target/platform-time.ts");
      const { namesIn, personOf } = await import("../../../output/people.ts");
      const { operatorOf } = await import("../../../../runtime/records.ts");
      const { describeAction } = await import("../../../../actions/actions.ts");
      const { item, entry } = await withStored(io, flags, async (stored) => {
        const [item] = await stored.outbox({ id, limit: 1 });
        const [entry] = item ? await stored.journal({ seq: item.seq, limit: 1 }) : [];
        return { item, entry };
      });
      if (item === undefined) {
        throw new UsageError(`there is no item ${id}`, {
          hint: "list the items with: answerback outbox list",
        });
      }
      await tellClock(io, flags);
      const names = namesIn(entry === undefined ? [] : [entry]);
      const run = entry?.runs.find((each) => each.id === item.run);
      const value = { ...item, entry: entry ?? null };
      printRecord(io, flags.json, value, [
        ["item", item.id],
        ["status", item.status],
        ["why", item.reason],
        ["what to do", withSameSettings(whatToDo(item) ?? "", flags)],
        ["written by hand by", operatorOf(item)],
        ["action", describeAction(item.action, names)],
        ["person", personOf(item.lane, names)],
        ["account", item.account],
        ["lane", item.lane],
        ["tries", item.attempts],
        ["not before", formatTime(item.notBefore)],
        ["last try", formatTime(item.startedAt)],
        ["settled", formatTime(item.settledAt)],
        ["given up at", formatTime(item.expiresAt)],
        ["platform id", item.platformId],
        ["run", run === undefined ? item.run : `${item.run} (${run.status})`],
        ["event", describeEntry(item, entry)],
        ["key", item.key],
      ]);
    },
  );
}

function describeEntry({ seq }: Item, entry: Entry | undefined): string {
  if (entry === undefined) return `${seq}, no longer kept`;
  return `${seq}: ${entry.kind}, arrived ${formatTime(entry.arrivedAt)} by ${entry.source}`;
}

function whatToDo({ id, status }: Item): string | undefined {
  switch (status) {
    case "unknown":
      return (
        `nothing: it is looked up on the platform; or: ${shell`answerback outbox settle ${id} --as sent`}, ` +
        `or ${shell`answerback outbox retry ${id} --anyway`}`
      );
    case "failed":
    case "expired":
      return `to try it again: ${shell`answerback outbox retry ${id}`}`;
    case "held":
      return `to send it: ${shell`answerback outbox retry ${id}`}; never: ${shell`answerback outbox drop ${id}`}`;
    case "pending":
      return `to send it now: ${shell`answerback outbox retry ${id}`}; never: ${shell`answerback outbox drop ${id}`}`;
    case "sending":
    case "sent":
      return undefined;
  }
}
