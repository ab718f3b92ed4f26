import { resolve } from "node:path";
import { Command } from "commander";
import { type CommonFlags, wholePath, withCommonFlags } from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";

interface BackupFlags extends CommonFlags {
  readonly to?: string;
  readonly withKey?: boolean;
}

/** `backup`: writes all data of the bot on this machine into one file. */
export function backup(io: Io): Command {
  const command = withCommonFlags(new Command("backup"), "print JSON")
    .description(
      "back up the store, the linked accounts and the sandbox; works while the bot is running",
    )
    .option("--to <file>", "file to write (default: answerback-TIME.backup)", wholePath)
    .option(
      "--with-key",
      "include the key that decrypts the accounts' tokens; keep the file secret",
    );
  const examples = ["answerback backup", "answerback backup --to nightly.backup --json"];
  return withExamples(command, examples).action(async (flags: BackupFlags) => {
    const { dataFolder, settingsFor } = await import("../../arguments/settings-flags.ts");
    const { refuseSharedStore } = await import("../../backup/shared-store.ts");
    const { keyOfBackups, takeBackup } = await import("../../backup/take-backup.ts");
    const { describeFiles } = await import("../../backup/data-files.ts");
    const settings = await settingsFor(io, flags);
    refuseSharedStore(settings, "backup");
    const folder = dataFolder(settings);
    const stamp = new Date().toISOString().slice(0, 19).replaceAll(":", "");
    const file = resolve(io.cwd, flags.to ?? `answerback-${stamp}.backup`);
    const { about, bytes, running } = await takeBackup({
      folder,
      to: file,
      withKey: flags.withKey === true,
      key: await keyOfBackups(folder, io.env["ANSWERBACK_KEY"]),
    });
    const { entries, items, files } = about;
    printRecord(io, flags.json, { file, bytes, running, entries, items, files }, [
      ["file", file],
      ["bytes", bytes],
      ["store", `${entries} event(s), ${items} answer(s)`],
      ...describeFiles(files).map((what) => ["", what] as const),
    ]);
  });
}
