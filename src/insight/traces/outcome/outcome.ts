import type { AccountEvent } from "../../../events/event.ts";
import { handlesIn } from "../../../events/handles.ts";
import { eventText } from "../../words/event.ts";
import { refusedInWords } from "../../words/verdict.ts";
import { ruleOf, type OutboxItem } from "../../kept-run.ts";
import type { Verdict } from "../../../rules/decide.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { counted } from "../../../text/counted.ts";
import { shell } from "../../../text/shell.ts";
import type { KeptVerdicts } from "../decided.ts";
import { runInWords, ownerInWords } from "../../words/run.ts";
import type { TraceOutcome } from "../trace.ts";
import { byHandOutcome } from "./by-hand-outcome.ts";
import { type AnswerHindrance, hindranceAt } from "./hindrances.ts";
import { sentOutcome, unsentOutcome } from "./item-outcome.ts";
import { look } from "./repair.ts";
import { failedRunOutcome, openRunOutcome } from "./run-outcome.ts";
import { silenceOutcome } from "./silence-outcome.ts";

/** Stored records of an event and its conversation, from which the event's outcome is derived. */
export interface OutcomeEvidence {
  readonly row: Answers["journal"][number];
  /** Event of the entry. Absent: the stored body can't be read. */
  readonly event?: AccountEvent;
  readonly decision: KeptVerdicts;
  readonly items: readonly OutboxItem[];
  /** Outbox items that operators wrote by hand in the conversation after the event, newest first. */
  readonly byHand?: readonly OutboxItem[];
  /** Number of rules with a trigger for the event. */
  readonly listening: number;
  /** Verdicts of the rules. They make the outcome's sentence more exact. The outcome's word does not depend on them. */
  readonly verdicts?: readonly Verdict[];
  /** Rules from which to find the one that came closest, if no rule matched. Absent: none is named. */
  readonly ruleset?: Ruleset;
  /** Hand-overs to people that runs of the bot account have requested. */
  readonly escalations?: Answers["escalations"];
  /**
   * Current time by the platform's clock, in milliseconds since the epoch. Absent: the sentence omits remaining times.
   */
  readonly now?: number;
  /** Conditions that keep the bot from answering. */
  readonly hindrances?: readonly AnswerHindrance[];
  /** Outbox items of the lane that have not been sent yet, oldest first. */
  readonly lane?: readonly OutboxItem[];
}

/** Returns the outcome of an event. For an unanswered event, adds the step that would make the bot answer. Pure. */
export function outcomeOf(evidence: OutcomeEvidence): TraceOutcome {
  const outcome = automaticOutcome(evidence);
  return byHandOutcome(evidence, outcome) ?? outcome;
}

/** Returns the outcome from rules and bots. Answers by hand are ignored. */
function automaticOutcome(evidence: OutcomeEvidence): TraceOutcome {
  const { row, decision, items, event, verdicts = [], escalations = [], now } = evidence;
  const { hindrances = [], lane = [] } = evidence;
  const { seq, runs } = row;
  if (row.state === "open") return undecidedOutcome(evidence);
  if (row.state === "dead-lettered") {
    const reason = `deciding on it was given up: ${decision.undecided ?? "it failed"}`;
    return { word: "error", reason, repair: look("answerback logs --level error") };
  }
  const handles = handlesIn(event === undefined ? [] : [event]);
  const outcome =
    refusedOutcome(evidence) ??
    failedRunOutcome(runs, items) ??
    unsentOutcome(items, { handles, now, hindrances, lane }) ??
    openRunOutcome(runs, items, now) ??
    sentOutcome(
      items.filter(({ status }) => status === "sent"),
      handles,
    ) ??
    doneOutcome(evidence);
  if (outcome !== undefined) return outcome;
  if (decision.undecided !== undefined) {
    return {
      word: "not-asked",
      reason: decision.undecided,
      repair: repairOfUnasked(decision.undecided, seq),
    };
  }
  const { listening, ruleset } = evidence;
  return silenceOutcome({
    seq,
    decision,
    listening,
    verdicts,
    escalations,
    now,
    ...(event !== undefined && { event }),
    ...(ruleset !== undefined && { ruleset }),
  });
}

/** Returns the outcome of an undecided event. It names the condition that stops the bot, if there is one. */
function undecidedOutcome({ row, hindrances = [] }: OutcomeEvidence): TraceOutcome {
  const { attempts, account } = row;
  const stop = hindranceAt(hindrances, "deciding", account);
  const tries = attempts === 0 ? "" : `, tried ${counted(attempts, "time")}`;
  const see = look(attempts === 0 ? "answerback status" : "answerback logs --level error");
  return {
    word: attempts === 0 ? "undecided" : "error",
    reason: `it is not decided yet${tries}${stop === undefined ? "" : `: ${stop.reason}`}`,
    repair: stop === undefined ? see : { inWords: stop.repair },
  };
}

/** Returns the outcome of runs that ended without sending, or of a run that the event cancelled or answered. */
function doneOutcome(evidence: OutcomeEvidence): TraceOutcome | undefined {
  const { row, decision, listening } = evidence;
  const { runs } = row;
  const handedOver = handOverOutcome(evidence);
  if (handedOver !== undefined) return handedOver;
  const run = runs.find((one) => ruleOf(one) !== undefined) ?? runs[0];
  if (run !== undefined) {
    const isBot = ruleOf(run) === undefined;
    const rules = isBot && listening > 0 ? "no rule matched, and " : "";
    const ended = run.status === "stopped" && !isBot ? runInWords(run) : "ran and said nothing";
    const repair = look(shell`answerback trace ${run.id}`);
    return { word: "acted", reason: `${rules}${ownerInWords(run)} ${ended}`, repair };
  }
  const [cancelled] = decision.cancelled;
  if (cancelled !== undefined) {
    const repair = look(shell`answerback trace ${cancelled}`);
    return { word: "acted", reason: `it ended run ${cancelled}: the person cancelled`, repair };
  }
  if (decision.takenBy === undefined) return undefined;
  const repair = look(shell`answerback trace ${decision.takenBy}`);
  return { word: "taken", reason: `run ${decision.takenBy} took it as an answer`, repair };
}

/** Returns the outcome of runs that sent nothing and handed over to people. It names the first hand-over. */
function handOverOutcome({ row, escalations = [] }: OutcomeEvidence): TraceOutcome | undefined {
  const runs = new Map(row.runs.map((run) => [run.id, run]));
  const own = escalations
    // A run that took the event as an answer may have handed over before.
    .filter(({ run, seq, at }) => runs.has(run) && (seq === row.seq || at >= row.at))
    .toSorted((one, other) => one.id - other.id);
  const [first] = own;
  const by = first && runs.get(first.run);
  if (first === undefined || by === undefined) return undefined;
  const { id, queue } = first;
  const more = own.length > 1 ? `, and ${own.length - 1} more` : "";
  return {
    word: "acted",
    reason: `${ownerInWords(by)} handed over to queue ${queue} (escalation ${id})${more}`,
    repair: look(shell`answerback escalations show ${id}`),
  };
}

/** Returns the outcome of an answer that did not fit its question, if the run sent no response to it. */
function refusedOutcome(evidence: OutcomeEvidence): TraceOutcome | undefined {
  const { row, event, decision, items } = evidence;
  const { takenBy, refused } = decision;
  if (takenBy === undefined || refused === undefined || items.length > 0) return undefined;
  const run = row.runs.find(({ id }) => id === takenBy);
  return {
    word: run?.status === "failed" ? "error" : "taken",
    reason: refusedInWords(refused, takenBy, event && eventText(event)),
    repair: look(shell`answerback trace ${takenBy}`),
  };
}

function repairOfUnasked(reason: string, seq: number) {
  if (!reason.includes("opt")) return look(shell`answerback why ${seq}`);
  return {
    inWords: "nothing is sent until the person takes it back (opt_out.back in the settings)",
  };
}
