import type { Ruleset } from "../../rules/ruleset.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";

/** Has the runs of these rules looked at: some are not to go on by what their rule was. */
export type LookAtRuns = (ruleIds: readonly string[]) => Promise<void>;

/** Rules with `on_reload: cancel` that others have taken the place of, until their runs were looked at. */
export interface SupersededRules {
  /** Notes which of `before` are others in `after`, or gone. To be called before those are in force. */
  note(before: Ruleset, after: Ruleset): Promise<void>;
  /** Those in force are others by now: the runs are looked at. */
  settle(): Promise<void>;
  /** Tells who looks at runs, and has them looked at. */
  follow(look: LookAtRuns): Promise<void>;
}

/** Under this name the store keeps them, so that the end of the process leaves no run that is not to go on. */
const NAME = "rules-superseded";

export function supersededRules(
  store: Pick<Store, "getMeta" | "setMeta">,
  log: Log,
  { isShared = false }: { readonly isShared?: boolean } = {},
): SupersededRules {
  let look: LookAtRuns | undefined;
  const pending = async (): Promise<readonly string[]> =>
    JSON.parse((await store.getMeta(NAME)) ?? "[]");

  const settle = async (): Promise<void> => {
    if (look === undefined) return;
    try {
      const ids = await pending();
      if (ids.length === 0) return;
      await look(ids);
      // Each process looks at its own: nobody knows when the last has done so.
      if (!isShared) await store.setMeta(NAME, "[]");
    } catch (error) {
      log.error({ err: error }, "runs of rules that were changed could not be looked at");
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
      await settle();
    },
  };
}
