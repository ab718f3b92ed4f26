import type { RunAndEntry } from "../store/run.ts";
import { type Interpretation, type LaneEvent, NOTHING } from "./lane-event.ts";
import { placeOf, writeAt } from "./run-place.ts";

/** Why nothing follows for an account that was unlinked. */
const REASON = "the account is not linked";

/**
 * What follows in a lane whose account is not linked: its events are kept and start nothing, and what
 * was going on stops there, whatever it had still to send.
 */
export function notLinked(happened: LaneEvent): Interpretation {
  if (happened.kind !== "event") return stopped(happened);
  return { ...NOTHING, decision: { ran: [], reason: REASON } };
}

function stopped({ run, entry }: RunAndEntry): Interpretation {
  const kept: object = JSON.parse(run.body);
  const body = JSON.stringify({ ...kept, ended: { outcome: "stopped", reason: REASON } });
  const fields = { run: run.id, event: entry.key, reason: REASON };
  return {
    ...NOTHING,
    runs: [writeAt(placeOf(run, entry), "stopped", body)],
    logs: [{ level: "warn", fields, message: "run stopped" }],
  };
}
