import { counterpartOf } from "../../../events/kinds/kinds.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { StepTurn, BotPause, HandOver } from "../../../rules/run.ts";
import type { NewEscalation, NewSilence } from "../../store/escalation.ts";
import { type RunPlace, stepKey } from "../run-place.ts";
import type { RunLogLine } from "../lane-event.ts";

/** Returns the escalation to store for a hand-over to a person. */
export function escalationAt(
  place: RunPlace,
  { pause, ...handOver }: HandOver,
  context: {
    /** Label of the step. */
    readonly label: string;
    readonly turn?: StepTurn;
    readonly event: AccountEvent;
    readonly now: number;
  },
): NewEscalation {
  const { seq, account, lane } = place.entry;
  const { label, turn, event, now } = context;
  const username = handleIn(event);
  return {
    ...handOver,
    key: stepKey(place, label, turn),
    run: place.id,
    seq,
    account,
    lane,
    at: now,
    ...(username !== undefined && { username }),
    ...(pause && { silences: silenceOf(pause, { account, lane }, now) }),
  };
}

/** Returns the log line of an escalation. It contains nothing that people wrote. */
export function escalationLine({ queue, priority, run, silences }: NewEscalation): RunLogLine {
  const fields = { queue, priority, run, ...(silences && { paused: silences.scope }) };
  const level = priority === "high" || priority === "urgent" ? "warn" : "info";
  return { level, fields, message: `a person is asked to take over: ${queue}` };
}

/**
 * Returns the silence that a hand-over starts: rules and bots pause in its scope. The scope is the account or the lane
 * (everything between the account and one person, or one group with all its participants).
 */
function silenceOf(
  { per, forMs, untilResolved }: BotPause,
  { account, lane }: Pick<NewEscalation, "account" | "lane">,
  now: number,
): NewSilence {
  const scope = per === "account" ? account : lane;
  return { scope, untilResolved, ...(forMs !== undefined && { until: now + forMs }) };
}

function handleIn(event: AccountEvent): string | undefined {
  const isTheirs = "sender" in event && event.sender.id === counterpartOf(event);
  return isTheirs ? event.sender.username : undefined;
}
