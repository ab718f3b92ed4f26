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
  /** Returns the platform's world: a sandbox, or an app on the live platform. Rejects while there is no answer. */
  readonly worldOf: () => Promise<World>;
  readonly readiness: ReadinessPart;
  readonly log: Log;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
}

/** Check whether the platform that answers is the world to which the store belongs. */
export interface WorldConfirmation {
  /** Whether the platform is the store's world. Before that is known, nothing may be accepted from it or sent to it. */
  readonly isConfirmed: () => boolean;
  /** Calls `then` once the world is confirmed: at once, or when the platform answers later. */
  readonly onConfirmed: (then: () => void) => void;
  /** Ends the attempts to reach the platform. */
  readonly stop: () => Promise<void>;
}

const BETWEEN_TRIES: BackOff = { leastMs: 200, baseMs: 500, mostMs: 10_000 };

/**
 * Compares the platform's world (a sandbox, or an app on the live platform) with the store's. A start does not wait for
 * a platform that does not answer: the comparison is then repeated until the platform answers.
 *
 * @throws {UsageError} if the store belongs to another world. If the platform answers only after the start, the runtime
 * stays not ready instead, and nothing is exchanged with a wrong world.
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
    if (failed === 1) log.error({ reason }, "the platform can't be used yet; retrying");
    readiness.notReady(reason);
  };
  const loop = pacedLoop(async () => {
    try {
      await claimStore(store, await worldOf());
      confirm();
      log.info("the platform can be used now");
      // The check is done, so the loop ends.
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
