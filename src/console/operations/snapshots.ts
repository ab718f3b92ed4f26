import * as z from "zod";
import { listSnapshots, readSnapshot, writeSnapshot } from "../../runtime/platform.ts";
import type { Snapshot } from "../../runtime/vocabulary.ts";
import { ControlConnection } from "../../sandbox/control/connection.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { operation, OperationError, showUsageErrors } from "./operation.ts";
import { shell } from "../../text/shell.ts";

const named = z.strictObject({ name: z.string() });

/**
 * Lists the snapshots of the sandbox's data, newest first. The command `answerback snapshot` uses the same snapshots.
 * Null if the console runs without a folder for them.
 */
export const snapshots = operation(
  z.strictObject({}),
  async ({ folder }): Promise<readonly Snapshot[] | null> =>
    folder === undefined ? null : listSnapshots(folder),
);

/** Saves the sandbox's data under a name. An existing snapshot with this name is replaced. */
export const keepSnapshot = operation(named, async (needs, { name }): Promise<null> => {
  const { folder, control } = placeOf(needs);
  await showUsageErrors(writeSnapshot(folder, name, await control.get("/state")));
  return null;
});

/** Restores a snapshot of the sandbox's data. The bot's own data stays unchanged. */
export const restoreSnapshot = operation(named, async (needs, { name }): Promise<null> => {
  const { folder, control } = placeOf(needs);
  const world = await showUsageErrors(readSnapshot(folder, name));
  const { world_id: running } = await control.get<{ world_id: string }>("/health");
  const { world_id: saved }: { world_id?: unknown } = Object(world);
  if (saved !== running) {
    throw new OperationError(
      `the snapshot "${name}" belongs to another world than the running one. To restore it anyway: ${shell`answerback snapshot restore ${name} --force`}`,
      409,
    );
  }
  await control.call("PUT", "/state", world);
  return null;
});

function placeOf({ folder, sandbox }: ConsoleNeeds) {
  if (sandbox === undefined) throw new OperationError("there is no sandbox", 404);
  if (folder === undefined) {
    throw new OperationError("there is no folder for it: start the sandbox with --state FILE");
  }
  return { folder, control: new ControlConnection(sandbox.control.url, sandbox.control.token) };
}
