import { messageOf } from "../../system/error-message.ts";
import { settlesWithin } from "../../runtime/loop/settles-within.ts";
import type { ReadinessPart } from "../../runtime/readiness.ts";

/** Whether the store takes writes, by what became of the latest ones, and whether it answers. */
export interface StoreHealth {
  /** A write was kept. */
  readonly kept: () => void;
  /** A write failed. */
  readonly failed: (error: unknown) => void;
  /**
   * Asks the store, and returns within a second whether it answers or hangs. When the latest write failed, it is asked
   * to write: without that a runtime that gets no traffic because it is not ready would never notice that it could
   * write again.
   */
  readonly recheck: () => Promise<void>;
}

export interface StoreHealthNeeds {
  readonly readiness: ReadinessPart;
  /** Writes something small. */
  readonly probe: () => Promise<unknown>;
  /** Reads something small. */
  readonly ask: () => Promise<unknown>;
  /** Milliseconds after which a store that has not answered hangs; {@link ANSWERS_WITHIN_MS} unless passed. */
  readonly withinMs?: number;
}

/** Leaves `/readyz` the rest of the second that load balancers wait. */
const ANSWERS_WITHIN_MS = 800;

/** The health of a store that has been opened just now. */
export function storeHealth({
  readiness,
  probe,
  ask,
  withinMs = ANSWERS_WITHIN_MS,
}: StoreHealthNeeds): StoreHealth {
  let isFailing = false;
  let asking: Promise<void> | undefined;

  const kept = (): void => {
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
      ? probe().then(kept, failed)
      : ask().then(answered, (error: unknown) =>
          unanswered(`the store does not answer: ${messageOf(error)}`),
        );
  kept();
  return {
    kept,
    failed,
    async recheck() {
      // All callers wait for the same request: a store that hangs gets no queue of them.
      asking ??= look().finally(() => {
        asking = undefined;
      });
      if (await settlesWithin(withinMs, asking)) return;
      unanswered(`the store has answered nothing for ${withinMs} ms`);
    },
  };
}
