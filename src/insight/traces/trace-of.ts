import { eventInWords, eventText } from "../words/event.ts";
import type { FieldValue } from "../../events/fields.ts";
import { isAnswerable } from "../../events/kinds/answer-by-hand.ts";
import { handlesIn } from "../../events/handles.ts";
import { fieldsOf } from "../../rules/evaluate.ts";
import { isLate } from "../../runtime/runs.ts";
import { decided, type KeptVerdicts } from "./decided.ts";
import { findEvent, type FoundEvent } from "./find-event.ts";
import { handOversNear, type TraceNeeds } from "./needs.ts";
import { writtenByHand } from "./outcome/by-hand-outcome.ts";
import { outcomeOf } from "./outcome/outcome.ts";
import { unsettledItems } from "./outcome/taken-outcome.ts";
import { tracedItem, tracedRun } from "./runs.ts";
import { tracedState } from "./state.ts";
import type { Trace, TraceEvent } from "./trace.ts";
import { placedVerdicts } from "./verdicts.ts";

/** Maximum number of outbox items that are read; the runs of one event have fewer. */
const MAX_ITEMS = 1_000;

/**
 * Returns the whole trace of an event.
 *
 * @param which Number or key of the event, or `last` for the newest event that the bot account did not cause.
 * @throws {UsageError} when the event does not exist.
 */
export async function traceOf(needs: TraceNeeds, which: string | number): Promise<Trace> {
  return traceFound(needs, await findEvent(needs, String(which)));
}

/** Returns the trace of an event that has been read from the journal. */
export async function traceFound(needs: TraceNeeds, foundEvent: FoundEvent): Promise<Trace> {
  const { row, event } = foundEvent;
  const { seq } = row;
  const items = (await needs.outbox({ seq, limit: MAX_ITEMS })).toSorted((a, b) => a.id - b.id);
  const all = await handOversNear(needs, row);
  const escalations = all.filter((one) => one.seq === seq).toSorted((a, b) => a.id - b.id);
  const now = needs.now?.();
  const ruleset = needs.ruleset();
  const decision = decided(foundEvent);
  const verdicts = placedVerdicts(event, ruleset, decision);
  const runs = row.runs.map((run) => tracedRun(run, items, { event, ruleset }));
  const byHand = isAnswerable(event) ? await writtenByHand(needs, row) : [];
  const listening = ruleset.candidates(event.triggers).length;
  return {
    outcome: outcomeOf({
      row,
      event,
      decision,
      items,
      byHand,
      lane: await unsettledItems(needs, { row, items }),
      listening,
      verdicts,
      ruleset,
      escalations: all,
      ...(now !== undefined && { now }),
      ...(needs.hindrances !== undefined && { hindrances: needs.hindrances }),
    }),
    event: tracedEvent(foundEvent, needs),
    times: {
      happened: event.at,
      arrived: row.arrivedAt,
      ...(row.decidedAt !== undefined && { decided: row.decidedAt }),
    },
    raw: JSON.parse(row.body),
    decision: decisionOf(decision, ruleset.revision, row.attempts),
    verdicts,
    runs,
    items: items.map((item) => tracedItem(item, handlesIn([event]))),
    state: tracedState(event, runs, { decision, ruleset }),
    escalations,
  };
}

function tracedEvent({ row, event }: FoundEvent, { usernameOf }: TraceNeeds): TraceEvent {
  const text = eventText(event);
  const username = usernameOf?.(row.account);
  return {
    seq: row.seq,
    key: row.key,
    kind: event.kind,
    triggers: event.triggers,
    direction: event.direction,
    lane: row.lane,
    account: { id: row.account, ...(username !== undefined && { username }) },
    ...("sender" in event && { person: event.sender }),
    ...(text !== undefined && { text }),
    inWords: eventInWords(event),
    fields: fieldsIn(event),
    source: row.source,
    replayed: isLate(row),
  };
}

function fieldsIn(event: FoundEvent["event"]): TraceEvent["fields"] {
  const fields: Record<string, Exclude<FieldValue, undefined>> = {};
  for (const [path, field] of fieldsOf(event.kind)) {
    const value = field.read(event);
    if (value !== undefined) fields[path] = value;
  }
  return fields;
}

function decisionOf(
  { revision, ran, takenBy, cancelled, refused, undecided }: KeptVerdicts,
  inForce: string,
  attempts: number,
): Trace["decision"] {
  return {
    ...(revision !== undefined && { revision }),
    rulesChanged: revision !== undefined && revision !== inForce,
    ran,
    ...(takenBy !== undefined && { takenBy }),
    ...(cancelled.length > 0 && { cancelled }),
    ...(refused !== undefined && { refused }),
    ...(undecided !== undefined && { undecided }),
    attempts,
  };
}
