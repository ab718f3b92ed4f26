import { messageOf } from "../../system/error-message.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import type { ReadinessPart } from "../../runtime/readiness.ts";

/** Health of the store: whether it accepts writes, by the latest results, and whether it answers. */
export interface StoreHealth {
  /** Records a successful write. */
  readonly succeeded: () => void;
  /** Records a failed write. */
  readonly failed: (error: unknown) => void;
  /**
   * Queries the store, and records within a second whether the store answers or hangs. After a failed write it writes a
   * probe: a runtime that is not ready gets no deliveries, so without a probe it would not notice that writes work
   * again.
   */
  readonly recheck: () => Promise<void>;
}

export interface StoreHealthNeeds {
  readonly readiness: ReadinessPart;
  /** Writes a small value to the store. */
  readonly probe: () => Promise<unknown>;
  /** Reads a small value from the store. */
  readonly ask: () => Promise<unknown>;
  /** Milliseconds after which a store without an answer counts as hanging. Default: {@link ANSWERS_WITHIN_MS}. */
  readonly withinMs?: number;
}

/**
 * Longest wait for the store, in milliseconds. Load balancers wait a second for `/readyz`, which also needs time
 * itself.
 */
const ANSWERS_WITHIN_MS = 800;

/** Tracks the health of a newly opened store. */
export function storeHealth({
  readiness,
  probe,
  ask,
  withinMs = ANSWERS_WITHIN_MS,
}: StoreHealthNeeds): StoreHealth {
  let isFailing = false;
  let asking: Promise<void> | undefined;

  const succeeded = (): void => {
    isFailing = false;
    readiness.ready();
  };
  const failed = (error: unknown): void => {
    isFailing = true;
    readiness.notReady(`the store takes no writes: ${messageOf(error)}`);
  };
  const answered = (): void => {
    if (!isFailing) readiness.ready();
  };
  const unanswered = (reason: string): void => {
    if (!isFailing) readiness.notReady(reason);
  };
  const look = (): Promise<void> =>
    isFailing
      ? probe().then(succeeded, failed)
      : ask().then(answered, (error: unknown) =>
          unanswered(`the store does not answer: ${messageOf(error)}`),
        );
  succeeded();
  return {
    succeeded,
    failed,
    async recheck() {
      // All callers share one request, so that requests do not queue up while the store hangs.
      asking ??= look().finally(() => {
        asking = undefined;
      });
      if (await settlesWithin(withinMs, asking)) return;
      unanswered(`the store has answered nothing for ${withinMs} ms`);
    },
  };
}
