import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log.ts";
import type { CleanupStack } from "../../loop/cleanup-stack.ts";
import { pollLoop } from "../../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../../system/time/throttle.ts";
import { SharedBudgets } from "./shared-budgets.ts";
import type { AdminPort } from "../../store/store.ts";

export interface OpenSharedNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "changeMetas">;
  /** Name of this worker; no other process has it. */
  readonly name: string;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly cleanup: CleanupStack;
}

/**
 * Real milliseconds between two passes. A pass returns ended slices of the limits to the store, and reads what other
 * workers have changed.
 */
const LOOK_EVERY_MS = 1_000;

/** Opens the rate limits that all processes with the same store share. A loop keeps them up to date with the store. */
export async function openSharedBudgets(needs: OpenSharedNeeds): Promise<SharedBudgets> {
  const { store, name, clock, log, cleanup } = needs;
  const onError = throttle<unknown>(LOG_EVERY_MS, (error) =>
    log.error({ err: error }, "reading the shared rate limits from the store failed"),
  );
  const shared = new SharedBudgets({
    store,
    worker: name,
    now: () => clock.now(),
    onError,
  });
  await shared.look();
  const loop = pollLoop({ poll: () => shared.look(), everyMs: LOOK_EVERY_MS, onError });
  cleanup.add("the shared rate limits", async () => {
    await loop.stop();
    await shared.close();
  });
  return shared;
}
