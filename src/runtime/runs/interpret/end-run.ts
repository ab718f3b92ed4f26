import type { CompiledRule, Ruleset } from "../../../rules/ruleset.ts";
import type { StoredRun } from "../../store/run.ts";
import { type Interpretation, NOTHING } from "../lane-event.ts";
import { deadlineKey } from "../run-place.ts";

/** Ends a run where it is: what it waits for is let go, and what it has not sent yet is not sent. */
export function endRun(run: StoredRun, reason: string): Interpretation {
  const { id, seq, owner, account, lane, revision, version, waitsFor, slot } = run;
  const kept: object = JSON.parse(run.body);
  const body = JSON.stringify({ ...kept, ended: { outcome: "stopped", reason } });
  const kind = { id, seq, owner, account, lane, revision, version, body };
  const write = slot === undefined ? kind : { ...kind, slot };
  return {
    ...NOTHING,
    runs: [{ ...write, status: "stopped" }],
    cancelled: [deadlineKey(run), ...(waitsFor === undefined ? [] : [waitsFor])],
    withdrawn: [id],
    logs: [{ level: "info", fields: { run: id, reason }, message: "run cancelled" }],
  };
}

/** Why a run is not to go on, since its rule is another one by now; `undefined`: it goes on. */
export function outdated(
  { id, revision, onReload }: CompiledRule,
  { ruleset }: { readonly ruleset: Ruleset },
): string | undefined {
  if (onReload === "finish") return undefined;
  const now = ruleset.byId.get(id);
  if (now?.revision === revision) return undefined;
  return now === undefined ? "its rule was removed" : "its rule was changed";
}
