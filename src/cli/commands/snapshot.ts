import { Command } from "commander";
import { UsageError } from "../../errors.ts";
import { withExamples } from "../examples.ts";
import type { Io } from "../io.ts";
import { printList, printRecord } from "../output/print.ts";
import { shownTime } from "../output/time.ts";
import {
  dataFolder,
  settingsFor,
  withJson,
  withSettings,
  type JsonFlag,
  type SettingsFlags,
} from "../settings-flags.ts";

type Flags = SettingsFlags & JsonFlag;

/** `snapshot`: the sandbox's world, kept under a name and brought back. */
export function snapshot(io: Io): Command {
  return new Command("snapshot")
    .description("save the sandbox's world and bring it back")
    .addCommand(save(io))
    .addCommand(restore(io))
    .addCommand(list(io));
}

function save(io: Io): Command {
  const command = withJson(withSettings(new Command("save")), "as JSON")
    .description("keep the world as it is now; a snapshot of that name is replaced")
    .argument("<name>", "of the snapshot");
  return withExamples(command, ["answerback snapshot save before-outage"]).action(
    async (name: string, flags: Flags) => {
      const { localSandbox } = await import("../target/sandbox-control.ts");
      const { writeSnapshot } = await import("../snapshots.ts");
      const sandbox = await localSandbox(io, flags);
      await writeSnapshot(sandbox.folder, name, await sandbox.get("/state"));
      printRecord(io, flags.json, { name }, [["saved", name]]);
      if (flags.json !== true) io.err(`Bring it back with: answerback snapshot restore ${name}\n`);
    },
  );
}

interface RestoreFlags extends Flags {
  readonly force?: boolean;
}

function restore(io: Io): Command {
  const command = withJson(withSettings(new Command("restore")), "as JSON")
    .description("bring a world back; the bot keeps what it has answered")
    .argument("<name>", "of the snapshot")
    .option("--force", "even if it is of another world than the one that runs");
  return withExamples(command, ["answerback snapshot restore before-outage"]).action(
    async (name: string, flags: RestoreFlags) => {
      const { localSandbox } = await import("../target/sandbox-control.ts");
      const { readSnapshot } = await import("../snapshots.ts");
      const sandbox = await localSandbox(io, flags);
      const world = await readSnapshot(sandbox.folder, name);
      const { world_id: running } = await sandbox.get<{ world_id: string }>("/health");
      if (worldIdOf(world) !== running && flags.force !== true) {
        throw new UsageError(`the snapshot "${name}" is of another world than the one that runs`, {
          hint: "the bot's store and credentials belong to this world; add --force to go on all the same",
        });
      }
      const restored = await sandbox.call<{ world_id: string }>("PUT", "/state", world);
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
  const command = withJson(withSettings(new Command("list"))).description(
    "the snapshots, newest first",
  );
  return withExamples(command, ["answerback snapshot list"]).action(async (flags: Flags) => {
    const { listSnapshots } = await import("../snapshots.ts");
    const settings = await settingsFor(io, flags);
    printList(
      io,
      flags.json,
      await listSnapshots(dataFolder(settings)),
      [
        { title: "NAME", of: ({ name }) => name },
        { title: "SAVED", of: ({ saved_at }) => shownTime(saved_at) },
        { title: "BYTES", of: ({ bytes }) => bytes },
      ],
      "There is no snapshot. Save one with: answerback snapshot save NAME",
    );
  });
}
