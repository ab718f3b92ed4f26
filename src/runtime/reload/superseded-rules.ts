import type { Ruleset } from "../../rules/ruleset.ts";
import type { Log } from "../log.ts";
import { StoreError } from "../store/errors.ts";
import type { Store } from "../store/store.ts";

/**
 * Checks the runs of the rules with these ids, and ends runs that must not continue with an old version of their rule.
 */
export type LookAtRuns = (ruleIds: readonly string[]) => Promise<void>;

/** Replaced rules with `on_reload: cancel`, until their runs have been checked. */
export interface SupersededRules {
  /** Stores which rules of `before` are changed or missing in `after`. To be called before `after` becomes active. */
  note(before: Ruleset, after: Ruleset): Promise<void>;
  /**
   * Checks the open runs of the rules that {@link note} stored, once the new rules are active.
   *
   * @throws {StoreError} when the store can't be read or written; the call has to be repeated then.
   */
  settle(): Promise<void>;
  /** Registers the function that checks runs, and calls it for the stored rules. Its errors are logged. */
  follow(look: LookAtRuns): Promise<void>;
}

/**
 * Name of the store's value with the ids of replaced rules, so that a crash leaves no run that should have been
 * cancelled.
 */
const NAME = "rules-superseded";

export function supersededRules(
  store: Pick<Store, "getMeta" | "setMeta">,
  log: Log,
  { isShared = false }: { readonly isShared?: boolean } = {},
): SupersededRules {
  let look: LookAtRuns | undefined;
  const pending = async (): Promise<readonly string[]> =>
    JSON.parse((await store.getMeta(NAME)) ?? "[]");

  const logFailure = (error: unknown): void =>
    log.error({ err: error }, "runs of changed or removed rules could not be checked");

  const settle = async (): Promise<void> => {
    if (look === undefined) return;
    try {
      const ids = await pending();
      if (ids.length === 0) return;
      await look(ids);
      // The ids of a shared store stay: each process checks its own runs, and none knows when all have done so.
      if (!isShared) await store.setMeta(NAME, "[]");
    } catch (error) {
      if (error instanceof StoreError && error.retryable) throw error;
      logFailure(error);
    }
  };

  return {
    async note(before, after) {
      const gone = before.rules
        .filter(({ onReload }) => onReload === "cancel")
        .filter(({ id, revision }) => after.byId.get(id)?.revision !== revision)
        .map(({ id }) => id);
      if (gone.length === 0) return;
      await store.setMeta(NAME, JSON.stringify([...new Set([...(await pending()), ...gone])]));
    },
    settle,
    async follow(next) {
      look = next;
      await settle().catch(logFailure);
    },
  };
}
