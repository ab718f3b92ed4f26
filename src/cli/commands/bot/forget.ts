import { Command } from "commander";
import { type CommonFlags, withCommonFlags, wholeHandle } from "../../arguments/settings-flags.ts";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";
import { shell } from "../../../text/shell.ts";

interface ForgetFlags extends CommonFlags {
  readonly yes?: boolean;
}

/** `forget`: erases what the bot stores about a person. */
export function forget(io: Io): Command {
  const command = withCommonFlags(new Command("forget"), "print JSON")
    .description("erase a person's data; this can't be undone")
    .argument("<user>", "user id, or handle with or without @", wholeHandle)
    .option("--yes", "do not ask");
  const examples = ["answerback forget @ana --yes"];
  return withExamples(command, examples).action(async (person: string, flags: ForgetFlags) => {
    if (flags.yes !== true) await confirm(io, person);
    const { forgetOf } = await import("../../forget/forget-of.ts");
    const gone = await forgetOf(io, flags, person);
    if (gone.refused !== undefined) {
      throw new UsageError(gone.refused, gone.hint === undefined ? {} : { hint: gone.hint });
    }
    if (gone.id === undefined) {
      throw new UsageError(`no data of ${person} is stored here`, {
        hint: /^\d+$/.test(person)
          ? "check the user id; the people who wrote are listed by: answerback journal"
          : "use the user id if you know it: some events contain no handle",
      });
    }
    const { id, entries, items, state, left: remainingCount } = gone;
    printRecord(io, flags.json, { id, entries, items, state, left: remainingCount }, [
      ["user", id],
      ["events erased", entries],
      ["answers erased", items],
      ["values erased", state],
      ["left for now", remainingCount],
    ]);
    if (flags.json === true) return;
    io.err(
      "Not touched: log files, backups, values under state.account and of groups, and what is on the platform.\n",
    );
    if (remainingCount > 0) {
      io.err(
        "Some data remains: other people's events that name this person or message them, and are still being handled. Run this again later.\n",
      );
    }
  });
}

async function confirm(io: Io, person: string): Promise<void> {
  if (!io.interactive || !io.input.isTerminal) {
    throw new UsageError("erasing can't be undone, and there is no terminal to ask on", {
      hint: `to confirm: ${shell`answerback forget ${person} --yes`}`,
    });
  }
  const { confirm: ask, isCancel } = await import("@clack/prompts");
  const message = `Erase everything that the bot keeps of ${person}? It can't be undone.`;
  const answer = await ask({ message, initialValue: false });
  if (isCancel(answer) || !answer) throw new UsageError("nothing was erased");
}
