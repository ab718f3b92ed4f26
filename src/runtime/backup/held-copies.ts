import { randomUUID } from "node:crypto";
import type { Clock } from "../clock/clock.ts";
import type { Log } from "../log.ts";
import { oneByOne } from "../loop/one-by-one.ts";
import type { HeldFile } from "../store/listings.ts";
import type { AdminPort } from "../store/store.ts";

/** Store file that stays unchanged (is held) while another process copies it. */
export interface HeldCopy extends HeldFile {
  /** Id of this hold, with which the copying process renews and ends it. */
  readonly id: string;
  /** Time at which the hold began, by the platform's clock: the copy contains the state of that time. */
  readonly takenAt: number;
  /** Milliseconds after which the hold ends, unless it is renewed. */
  readonly keepWithinMs: number;
}

/**
 * Keeps the store's file unchanged while another process copies it and the bot runs. Allows one such hold at a time.
 */
export interface HeldCopies {
  /** Begins a hold. Ends an earlier hold, whose `end` then reports that the copy is not usable. */
  begin(): Promise<HeldCopy>;
  /** Renews a hold. @returns `false` if the hold has ended or timed out. */
  keep(id: string): boolean;
  /** Ends a hold. @returns Whether the copy is usable: the file did not change during the hold. */
  end(id: string): Promise<boolean>;
  stop(): Promise<void>;
}

export interface HeldCopiesNeeds {
  readonly store: Pick<AdminPort, "hold" | "letGo">;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds of real time after which a hold that is not renewed ends. */
  readonly keepWithinMs?: number;
}

/** Default timeout of a hold. The write-ahead log grows meanwhile, so the hold of a crashed process must end. */
const KEEP_WITHIN_MS = 30_000;

/** Creates the object that manages holds. No hold is active yet. */
export function heldCopies(needs: HeldCopiesNeeds): HeldCopies {
  const { store, clock, log, keepWithinMs = KEEP_WITHIN_MS } = needs;
  let current: { readonly id: string; timer: NodeJS.Timeout } | undefined;

  const letGo = async (): Promise<boolean> => {
    clearTimeout(current?.timer);
    current = undefined;
    return store.letGo();
  };
  const giveUp = (): void => {
    log.warn("backup cancelled: the command that copies the store has stopped");
    letGo().catch((error: unknown) =>
      log.error({ err: error }, "the store's file could not be released after the backup"),
    );
  };
  const expiry = (): NodeJS.Timeout => setTimeout(giveUp, keepWithinMs);
  const inTurn = oneByOne();
  return {
    begin: () =>
      inTurn(async () => {
        if (current !== undefined) await letGo();
        const takenAt = clock.now();
        const held = await store.hold();
        current = { id: randomUUID(), timer: expiry() };
        return { ...held, id: current.id, takenAt, keepWithinMs };
      }),
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
