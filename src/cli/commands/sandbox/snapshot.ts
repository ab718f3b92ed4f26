import { withSameSettings } from "../../output/same-settings.ts";
import { Command } from "commander";
import { UsageError } from "../../../errors.ts";
import { withExamples } from "../../help/examples.ts";
import type { Io } from "../../io.ts";
import { printList, printRecord } from "../../output/print.ts";
import { formatTime } from "../../output/format-time.ts";
import {
  type CommonFlags,
  dataFolder,
  settingsFor,
  withCommonFlags,
} from "../../arguments/settings-flags.ts";
import { shell } from "../../../text/shell.ts";

/** `snapshot`: saves the sandbox's data under a name, and restores saved data. */
export function snapshot(io: Io): Command {
  return new Command("snapshot")
    .description("save and restore the sandbox's data")
    .addCommand(save(io))
    .addCommand(restore(io))
    .addCommand(list(io));
}

function save(io: Io): Command {
  const command = withCommonFlags(new Command("save"), "print JSON")
    .description("save a snapshot; one of the same name is replaced")
    .argument("<name>", "name of the snapshot");
  return withExamples(command, ["answerback snapshot save before-outage"]).action(
    async (name: string, flags: CommonFlags) => {
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const { writeSnapshot } = await import("../../../runtime/platform.ts");
      const sandbox = await localSandbox(io, flags);
      await writeSnapshot(sandbox.folder, name, await sandbox.saveWorld());
      printRecord(io, flags.json, { name }, [["saved", name]]);
      const restored = withSameSettings(shell`answerback snapshot restore ${name}`, flags);
      if (flags.json !== true) io.err(`Restore it with: ${restored}\n`);
    },
  );
}

interface RestoreFlags extends CommonFlags {
  readonly force?: boolean;
}

function restore(io: Io): Command {
  const command = withCommonFlags(new Command("restore"), "print JSON")
    .description("restore a snapshot; the bot keeps its own data")
    .argument("<name>", "name of the snapshot")
    .option("--force", "restore even a snapshot of another sandbox world than the running one");
  return withExamples(command, ["answerback snapshot restore before-outage"]).action(
    async (name: string, flags: RestoreFlags) => {
      const { localSandbox } = await import("../../target/sandbox-control.ts");
      const { readSnapshot } = await import("../../../runtime/platform.ts");
      const sandbox = await localSandbox(io, flags);
      const world = await readSnapshot(sandbox.folder, name);
      const { world_id: running } = await sandbox.health();
      if (worldIdOf(world) !== running && flags.force !== true) {
        throw new UsageError(`the snapshot "${name}" is of another world than the running one`, {
          hint: "add --force to restore it anyway; the bot's store and credentials belong to the running world",
        });
      }
      const restored = await sandbox.restoreWorld(world);
      printRecord(io, flags.json, { name, ...restored }, [["restored", name]]);
    },
  );
}

function worldIdOf(world: unknown): unknown {
  return typeof world === "object" && world !== null && "world_id" in world
    ? world.world_id
    : undefined;
}

function list(io: Io): Command {
  const command = withCommonFlags(new Command("list")).description(
    "list the snapshots, newest first",
  );
  return withExamples(command, ["answerback snapshot list"]).action(async (flags: CommonFlags) => {
    const { listSnapshots } = await import("../../../runtime/platform.ts");
    const settings = await settingsFor(io, flags);
    printList(
      io,
      flags.json,
      await listSnapshots(dataFolder(settings)),
      [
        { title: "NAME", of: ({ name }) => name },
        { title: "SAVED", of: ({ saved_at }) => formatTime(saved_at) },
        { title: "BYTES", of: ({ bytes }) => bytes },
      ],
      withSameSettings(
        "There are no snapshots. Save one with: answerback snapshot save NAME",
        flags,
      ),
    );
  });
}
