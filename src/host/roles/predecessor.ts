import { hostname } from "node:os";
import * as z from "zod";
import { isAlive } from "../../system/is-alive.ts";
import type { HostedBot } from "../parts.ts";

/** Record in the store about the process that has a stable name now. */
const record = z.object({
  /** Unique name of the process, under which it holds its leases. */
  name: z.string(),
  pid: z.number(),
  host: z.string(),
});

export interface PredecessorNeeds extends Pick<HostedBot, "log" | "cleanup"> {
  readonly store: Pick<HostedBot["store"], "releaseEnded" | "getMeta" | "setMeta" | "changeMetas">;
  readonly process: Pick<HostedBot["process"], "name" | "stableName">;
}

/**
 * Ends the leases of this process's predecessor, the last process with the same stable name, if it was killed. So its
 * work goes on at once instead of after the expiry of its leases. A predecessor that stops by itself deletes its record.
 */
export async function succeedPredecessor({
  store,
  process: { name, stableName },
  log,
  cleanup,
}: PredecessorNeeds): Promise<void> {
  if (stableName === undefined) return;
  const key = `predecessor/${stableName}`;
  const before = recordIn(await store.getMeta(key));
  if (before !== undefined && hasEnded(before)) {
    await store.releaseEnded(before.name);
    log.info(
      { process: before.name },
      "this process continues the work of a process that was killed",
    );
  }
  const own = JSON.stringify({ name, pid: process.pid, host: hostname() });
  await store.setMeta(key, own);
  cleanup.add("the record for the next process", async () => {
    await store.changeMetas([{ name: key, was: own, to: undefined }]);
  });
}

/** Reads a record; a damaged one counts as none. */
function recordIn(text: string | undefined): z.infer<typeof record> | undefined {
  try {
    return record.safeParse(JSON.parse(text ?? "null")).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether a process has ended: it ran on this machine, and its id belongs to no process, or to this one, as after the
 * restart of a container. If it runs in another container of the same host name, the leases' epochs fence it.
 */
function hasEnded({ pid, host }: z.infer<typeof record>): boolean {
  return host === hostname() && (pid === process.pid || !isAlive(pid));
}
