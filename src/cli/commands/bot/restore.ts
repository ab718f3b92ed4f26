import { withSameSettings } from "../../output/same-settings.ts";
import { basename, dirname, resolve } from "node:path";
import { Command } from "commander";
import {
  type CommonFlags,
  exists,
  wholePath,
  withCommonFlags,
} from "../../arguments/settings-flags.ts";
import { withExamples } from "../../help/examples.ts";
import { UsageError } from "../../../errors.ts";
import type { Io } from "../../io.ts";
import { printRecord } from "../../output/print.ts";

interface RestoreFlags extends CommonFlags {
  readonly foreign?: boolean;
}

/** `restore`: replaces the content of the data folder by a backup. */
export function restore(io: Io): Command {
  const command = withCommonFlags(new Command("restore"), "print JSON")
    .description(
      "restore a backup; the bot must be stopped; existing data is moved to before-restore.TIME in the data folder",
    )
    .argument("<file>", "backup file that answerback backup wrote", wholePath)
    .option(
      "--foreign",
      "accept a backup without this bot's seal: from another bot, from an earlier version, or changed since",
    );
  const examples = [
    "answerback restore nightly.backup",
    "answerback restore --foreign nightly.backup",
  ];
  return withExamples(command, examples).action(async (file: string, flags: RestoreFlags) => {
    const { dataFolder, settingsFor } = await import("../../arguments/settings-flags.ts");
    const { refuseSharedStore } = await import("../../backup/shared-store.ts");
    const { bringBack } = await import("../../backup/bring-back.ts");
    const { describeFiles } = await import("../../backup/data-files.ts");
    const settings = await settingsFor(io, flags);
    refuseSharedStore(settings, "restore");
    const folder = dataFolder(settings);
    const backup = resolve(io.cwd, file);
    if (!(await exists(dirname(backup), basename(backup)))) {
      throw new UsageError(`there is no file ${backup}`, {
        hint: "name the file that answerback backup has written",
      });
    }
    const { about, aside, hasKey, seal } = await bringBack({
      backup,
      folder,
      foreign: flags.foreign === true,
      environmentKey: io.env["ANSWERBACK_KEY"],
    });
    const { takenAt, entries, items, files } = about;
    const takenAtText = new Date(takenAt).toISOString();
    printRecord(
      io,
      flags.json,
      { folder, taken: takenAtText, aside, entries, items, files, sealed: seal === "valid" },
      [
        ["folder", folder],
        ["as of", takenAtText],
        ["store", `${entries} event(s), ${items} answer(s)`],
        ...describeFiles(files).map((what) => ["", what] as const),
        ["kept aside", aside],
      ],
    );
    if (files.includes("accounts.json") && !hasKey && (io.env["ANSWERBACK_KEY"] ?? "") === "") {
      io.err(
        "The tokens of the accounts are sealed with a key that is not in the backup: put the file key back " +
          `into the folder, set ANSWERBACK_KEY, or ${withSameSettings("link the accounts again with: answerback login", flags)}\n`,
      );
    }
  });
}
