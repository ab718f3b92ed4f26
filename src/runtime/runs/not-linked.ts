import type { RunAndEntry, StoredRun } from "../store/run.ts";
import type { DecidePort } from "../store/store.ts";
import { wholeRun } from "./parallel/whole-run.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "./lane-event.ts";
import { placeOf, writeAt } from "./run-place.ts";

/** Reason recorded for events and runs of an account that was unlinked. */
const REASON = "the account is not linked";

/**
 * Returns what follows in a lane whose account is not linked. The account's events are stored and start nothing. Its
 * open runs stop at their current step, even if they had something to send.
 */
export async function notLinked(
  happened: LaneEvent,
  store: Pick<DecidePort, "runsOf">,
): Promise<Interpretation> {
  if (happened.kind !== "event") return stopped(happened, await wholeRun(happened.run, store));
  return { ...NOTHING, decision: { ran: [], reason: REASON } };
}

function stopped({ run, entry }: RunAndEntry, whole: readonly StoredRun[]): Interpretation {
  const fields = { run: run.id, event: entry.key, reason: REASON };
  const runs = whole.map((one) => {
    const state: object = JSON.parse(one.body);
    const body = JSON.stringify({ ...state, ended: { outcome: "stopped", reason: REASON } });
    return writeAt(placeOf(one, entry), "stopped", body);
  });
  return { ...NOTHING, runs, logs: [{ level: "warn", fields, message: "run stopped" }] };
}
