import * as z from "zod";
import { UsageError } from "../../errors.ts";
import {
  listSnapshots,
  readSnapshot,
  type Snapshot,
  writeSnapshot,
} from "../../runtime/platform/snapshots.ts";
import { ControlConnection } from "../../sandbox/control/connection.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";
import { shell } from "../../text/shell.ts";

const named = z.strictObject({ name: z.string() });

/** Lists the saved worlds of the sandbox, as `answerback snapshot` does, newest first. Null if there is no folder. */
export const snapshots = operation(
  z.strictObject({}),
  async ({ folder }): Promise<readonly Snapshot[] | null> =>
    folder === undefined ? null : listSnapshots(folder),
);

/** Saves the sandbox's world under a name, and replaces an existing snapshot of that name. */
export const keepSnapshot = operation(named, async (needs, { name }): Promise<null> => {
  const { folder, control } = placeOf(needs);
  await orNone(writeSnapshot(folder, name, await control.get("/state")));
  return null;
});

/** Restores a saved world in the sandbox. The bot keeps its own data. */
export const restoreSnapshot = operation(named, async (needs, { name }): Promise<null> => {
  const { folder, control } = placeOf(needs);
  const world = await orNone(readSnapshot(folder, name));
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

async function orNone<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof UsageError) throw new OperationError(error.message);
    throw error;
  }
}
