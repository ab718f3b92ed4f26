import type { Clock } from "../../clock/clock.ts";
import type { Log } from "../../log.ts";
import type { CleanupStack } from "../../loop/cleanup-stack.ts";
import { pollLoop } from "../../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../../loop/throttle.ts";
import { SharedBudgets } from "./shared-budgets.ts";
import type { AdminPort } from "../../store/store.ts";

export interface OpenSharedNeeds {
  readonly store: Pick<AdminPort, "getMeta" | "changeMetas">;
  /** This worker's name; no other process has it. */
  readonly name: string;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly cleanup: CleanupStack;
}

/** How often slices that are over are given back, and what others did is seen, in real milliseconds. */
const LOOK_EVERY_MS = 1_000;

/** The platform's limits as all processes with one store spend them, at work. */
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
  cleanup.add("the share of the platform's limits", async () => {
    await loop.stop();
    await shared.close();
  });
  return shared;
}
