import { randomUUID } from "node:crypto";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import type { HeldFile } from "../store/listings.ts";
import type { AdminPort } from "../store/store.ts";

/** The store's file, held for a process that copies it. */
export interface HeldCopy extends HeldFile {
  /** Names this copying. */
  readonly id: string;
  /** When the store was as it is in the file, by the platform's clock. */
  readonly takenAt: number;
  /** It is let go after so long, unless it is kept again. */
  readonly keepWithinMs: number;
}

/** Copies of the store's file that other processes make while the bot runs; one at a time. */
export interface HeldCopies {
  /** Holds the file. A copying under way is told at its end that it is not whole. */
  begin(): Promise<HeldCopy>;
  /** @returns `false` when that copying is over, or took too long. */
  keep(id: string): boolean;
  /** @returns Whether what was copied is whole. */
  end(id: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface HeldCopiesNeeds {
  readonly store: Pick<AdminPort, "hold" | "letGo">;
  readonly clock: Clock;
  readonly log: Log;
  /** Real milliseconds. */
  readonly keepWithinMs?: number;
}

/** As long as the file is held, the log of writes grows: a copier that died must not hold it for good. */
const KEEP_WITHIN_MS = 30_000;

/** No copy is made yet. */
export function heldCopies(needs: HeldCopiesNeeds): HeldCopies {
  const { store, clock, log, keepWithinMs = KEEP_WITHIN_MS } = needs;
  let current: { readonly id: string; timer: NodeJS.Timeout } | undefined;

  const letGo = async (): Promise<boolean> => {
    clearTimeout(current?.timer);
    current = undefined;
    return store.letGo();
  };
  const giveUp = (): void => {
    log.warn("nobody copies the store any more; the backup was given up");
    letGo().catch((error: unknown) => log.error({ err: error }, "the store's file is still held"));
  };
  const expiry = (): NodeJS.Timeout => setTimeout(giveUp, keepWithinMs);
  return {
    async begin() {
      if (current !== undefined) await letGo();
      const takenAt = clock.now();
      const held = await store.hold();
      current = { id: randomUUID(), timer: expiry() };
      return { ...held, id: current.id, takenAt, keepWithinMs };
    },
    keep(id) {
      if (current?.id !== id) return false;
      clearTimeout(current.timer);
      current.timer = expiry();
      return true;
    },
    end: async (id) => (current?.id === id ? letGo() : false),
    async stop() {
      if (current !== undefined) await letGo();
    },
  };
}
