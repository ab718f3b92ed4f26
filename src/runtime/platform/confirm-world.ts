import { AnswerbackError } from "../../errors.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Log } from "../log.ts";
import { type BackOff, backOffMs } from "../loop/back-off.ts";
import { pacedLoop } from "../loop/paced-loop.ts";
import type { ReadinessPart } from "../readiness.ts";
import type { Store } from "../store/store.ts";
import { claimStore, type World } from "../store/world-claim.ts";

export interface ConfirmationNeeds {
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  /** Asks which world is there. Rejects while nobody answers. */
  readonly worldOf: () => Promise<World>;
  readonly readiness: ReadinessPart;
  readonly log: Log;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/** Whether the platform that is there is the one that the store belongs to. */
export interface WorldConfirmation {
  /** Until it is, nothing may be taken in from it and nothing sent to it. */
  readonly isConfirmed: () => boolean;
  /** Calls `then` once it is: now, or when the platform is back. */
  readonly onConfirmed: (then: () => void) => void;
  /** Asks no more. */
  readonly stop: () => Promise<void>;
}

const BETWEEN_TRIES: BackOff = { leastMs: 200, baseMs: 500, mostMs: 10_000 };

/**
 * Asks which world is there, again and again while nobody answers: a start does not wait for it.
 *
 * @throws {UsageError} when it is another one than the store belongs to; one that comes later than the
 *   start is told, and nothing is exchanged with it.
 */
export async function confirmWorld(needs: ConfirmationNeeds): Promise<WorldConfirmation> {
  const { store, worldOf, readiness, log, random } = needs;
  const waiting: (() => void)[] = [];
  let isConfirmed = false;
  let failed = 0;
  const confirm = (): void => {
    isConfirmed = true;
    readiness.ready();
    for (const then of waiting.splice(0)) then();
  };
  const explain = (error: unknown): void => {
    const hint = error instanceof AnswerbackError ? error.hint : undefined;
    const reason = hint === undefined ? messageOf(error) : `${messageOf(error)}; ${hint}`;
    if (failed === 1) log.error({ reason }, "the platform can't be used yet; it is tried again");
    readiness.notReady(reason);
  };
  const loop = pacedLoop(async () => {
    try {
      await claimStore(store, await worldOf());
      confirm();
      log.info("the platform is there");
      // Nothing is asked any more; the loop ends with the runtime.
      void loop.stop();
    } catch (error) {
      failed += 1;
      explain(error);
    }
    return backOffMs(BETWEEN_TRIES, Math.max(1, failed), random());
  });
  const first = await worldOf().catch((error: unknown) => {
    failed = 1;
    explain(error);
    return undefined;
  });
  if (first === undefined) loop.wake();
  else {
    await claimStore(store, first);
    confirm();
  }
  return {
    isConfirmed: () => isConfirmed,
    onConfirmed: (then) => void (isConfirmed ? then() : waiting.push(then)),
    stop: () => loop.stop(),
  };
}
