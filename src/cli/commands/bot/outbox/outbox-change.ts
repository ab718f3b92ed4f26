import { Command, Option } from "commander";
import { UsageError } from "../../../../errors.ts";
import type { Answers, Requests } from "../../../../runtime/vocabulary.ts";
import { shell } from "../../../../text/shell.ts";
import { withSameSettings } from "../../../output/same-settings.ts";
import { withExamples } from "../../../help/examples.ts";
import type { Io } from "../../../io.ts";
import { positiveInteger } from "../../../arguments/numbers.ts";
import { printRecord } from "../../../output/print.ts";
import { type CommonFlags, withCommonFlags } from "../../../arguments/settings-flags.ts";
import { oneOf } from "../../../arguments/one-of.ts";

const ID = ["<id>", "the item's id, as outbox list shows it", positiveInteger] as const;

interface RetryFlags extends CommonFlags {
  readonly anyway?: true;
}

/** `outbox retry`: sends an action now that has failed, was dropped, has expired, waits or is held back. */
export function outboxRetry(io: Io): Command {
  const command = withCommonFlags(new Command("retry"), "print JSON")
    .description("send a failed, dropped, expired, held or waiting action now")
    .argument(...ID)
    .option(
      "--anyway",
      "also send an action whose outcome is unknown; if it had arrived, it is sent twice",
    );
  return withExamples(command, ['answerback outbox retry "$FAILED_ITEM_ID"']).action(
    (id: number, flags: RetryFlags) =>
      change(io, flags, "retryItem", { id, anyway: flags.anyway === true }),
  );
}

interface SettleFlags extends CommonFlags {
  readonly as: "sent" | "failed";
  readonly platformId?: string;
}

/** `outbox settle`: records the outcome of an action whose outcome is unknown. */
export function outboxSettle(io: Io): Command {
  const command = withCommonFlags(new Command("settle"), "print JSON")
    .description("record the outcome of an action whose outcome is unknown")
    .argument(...ID)
    .addOption(
      oneOf(new Option("--as <outcome>", "the outcome, as seen on the platform"), [
        "sent",
        "failed",
      ]).makeOptionMandatory(),
    )
    .option("--platform-id <id>", "the platform's id of the sent message or post");
  return withExamples(command, ['answerback outbox settle "$UNKNOWN_ITEM_ID" --as sent']).action(
    (id: number, { as, platformId, ...flags }: SettleFlags) => {
      if (platformId !== undefined && !/^\d+$/.test(platformId)) {
        throw new UsageError(`${platformId} is not an id of the platform`, {
          hint: "an id has digits only, as in: --platform-id 1729",
        });
      }
      const platformIdField = platformId === undefined ? {} : { platformId };
      return change(io, flags, "settleItem", { id, as, ...platformIdField });
    },
  );
}

/** `outbox drop`: cancels an action that waits or is held back. */
export function outboxDrop(io: Io): Command {
  const command = withCommonFlags(new Command("drop"), "print JSON")
    .description("discard an action that waits or is held back; only outbox retry sends it then")
    .argument(...ID);
  return withExamples(command, ['answerback outbox drop "$PENDING_ITEM_ID"']).action(
    (id: number, flags: CommonFlags) => change(io, flags, "dropItem", { id }),
  );
}

async function change<Name extends "retryItem" | "settleItem" | "dropItem">(
  io: Io,
  flags: CommonFlags,
  name: Name,
  request: Requests[Name] & { readonly id: unknown },
): Promise<void> {
  const { askRunning } = await import("../../../target/ask-running.ts");
  const answer: Answers["retryItem"] = await askRunning(io, flags, name, request);
  if (!answer.done) throw new UsageError(answer.reason, { hint: answer.hint });
  const { from, to, wasDropped } = answer;
  const id = String(request.id);
  const isDropped = name === "dropItem";
  printRecord(io, flags.json, { id: request.id, from, to, wasDropped }, [
    ["item", id],
    ["was", wasDropped === true ? "dropped" : from],
    ["is", isDropped ? "dropped" : to],
  ]);
  if (flags.json === true || !isDropped) return;
  const again = withSameSettings(shell`answerback outbox retry ${id}`, flags);
  io.err(`To send it after all: ${again}\n`);
}
