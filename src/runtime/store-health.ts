import { messageOf } from "../system/error-message.ts";
import type { ReadinessPart } from "./readiness.ts";

/** Whether the store takes writes, by what became of the latest ones. */
export interface StoreHealth {
  /** A write was kept. */
  readonly kept: () => void;
  /** A write failed. */
  readonly failed: (error: unknown) => void;
  /**
   * Tries a write when the latest one failed. Without it a runtime that gets no traffic because it
   * is not ready would never notice that it could write again.
   */
  readonly recheck: () => Promise<void>;
}

export interface StoreHealthNeeds {
  readonly readiness: ReadinessPart;
  /** Writes something small. */
  readonly probe: () => Promise<void>;
}

/** The health of a store that has been opened just now. */
export function storeHealth({ readiness, probe }: StoreHealthNeeds): StoreHealth {
  let isFailing = false;
  let probing: Promise<void> | undefined;

  const kept = (): void => {
    isFailing = false;
    readiness.ready();
  };
  const failed = (error: unknown): void => {
    isFailing = true;
    readiness.notReady(`the store takes no writes: ${messageOf(error)}`);
  };
  kept();
  return {
    kept,
    failed,
    async recheck() {
      if (!isFailing) return;
      // Whoever asks meanwhile waits for the same probe: asking often writes no more often.
      probing ??= probe()
        .then(kept, failed)
        .finally(() => {
          probing = undefined;
        });
      await probing;
    },
  };
}
