import type { AccountEvent } from "../../../events/event.ts";
import { verdictInWords } from "../../words/verdict.ts";
import type { Verdict, VerdictReason } from "../../../rules/decide.ts";
import type { Ruleset } from "../../../rules/ruleset.ts";
import { durationText } from "../../../text/duration-text.ts";
import type { Escalation } from "../../../runtime/vocabulary.ts";
import { shell } from "../../../text/shell.ts";
import type { KeptVerdicts } from "../decided.ts";
import type { TraceOutcome } from "../trace.ts";
import { closestRule } from "./no-match.ts";
import type { TraceOutcomeWord } from "./outcome-words.ts";
import { changeRule, look, resolve, type TraceRepair } from "./repair.ts";
import { timeInWords } from "../../words/run.ts";

/** Data about an event for which no rule ran. */
export interface SilenceEvidence {
  readonly seq: number;
  readonly event?: AccountEvent;
  readonly decision: KeptVerdicts;
  /** Number of rules with a trigger for the event. */
  readonly listening: number;
  /** Verdicts of the rules. Empty: the verdicts were not computed again. */
  readonly verdicts: readonly Verdict[];
  /** Rules from which to find the one that came closest, if no rule matched. Absent: none is named. */
  readonly ruleset?: Ruleset;
  /** Hand-overs that may silence the rules of the conversation. */
  readonly escalations: readonly Pick<Escalation, "id" | "silences" | "resolvedAt">[];
  /** Current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: number | undefined;
}

/** Returns why no rule ran. A matching rule that was blocked takes precedence over rules that did not match. */
export function silenceOutcome(evidence: SilenceEvidence): TraceOutcome {
  const { decision, event, listening, verdicts, seq } = evidence;
  if (decision.context.paused !== undefined) return silentHere(decision.context.paused, evidence);
  const [telling] = BLOCKERS.flatMap((reason) => verdicts.filter((one) => one.reason === reason));
  if (telling !== undefined) return keptBack(telling, evidence);
  const unasked = unaskedOutcome(evidence);
  if (unasked !== undefined) return unasked;
  if (event?.direction === "outbound") {
    return { word: "own", reason: "the account itself did it, and no rule asks for that" };
  }
  if (listening === 0) {
    const triggers = event?.triggers.join(", ") ?? "it";
    const edit = isEdit(event) ? "an edited post is not answered a second time: " : "";
    return {
      word: "no-rule",
      reason: `${edit}no rule listens to ${triggers}`,
      repair: {
        inWords: `write one: ${shell`answerback explain ${event?.triggers[0] ?? "triggers"}`}`,
      },
    };
  }
  return noMatch(evidence, look(shell`answerback why ${seq}`));
}

function isEdit(event: AccountEvent | undefined): boolean {
  return event?.triggers.some((trigger) => trigger === "post.edited") === true;
}

/** Returns the outcome without verdicts: a read of a cooldown or limit in the decision shows that a rule matched. */
function unaskedOutcome({
  decision: { read },
  verdicts,
  seq,
}: SilenceEvidence): TraceOutcome | undefined {
  if (verdicts.length > 0) return undefined;
  const looked = (kind: string): boolean => read.some((key) => key.startsWith(kind));
  const repair = look(shell`answerback why ${seq}`);
  if (looked("cooldown/")) {
    return { word: "cooling-down", reason: "a rule that matches cools down", repair };
  }
  if (looked("limit/") || looked("slot/")) {
    return { word: "limited", reason: "a rule that matches has reached its limit", repair };
  }
  return undefined;
}

/** Reasons that block a matching rule, the most informative first. */
const BLOCKERS: readonly VerdictReason[] = [
  "cooldown",
  "limit",
  "queue-full",
  "too-many-running",
  "already-running",
  "replayed",
  "too-old",
  "not-active",
  "stage-shadow",
  "expression-error",
];

const WORDS: Readonly<Partial<Record<VerdictReason, TraceOutcomeWord>>> = {
  cooldown: "cooling-down",
  limit: "limited",
  "queue-full": "limited",
  "too-many-running": "limited",
  "already-running": "limited",
};

/** Edits that let a blocked rule run, by the reason why it was blocked. */
const CHANGES: Readonly<Partial<Record<VerdictReason, string>>> = {
  cooldown: "shorten its cooldown",
  limit: "raise its limit",
  "queue-full": "raise its max",
  "too-many-running": "raise its max",
  "already-running": "give it another mode, or end the run with stop_run",
  replayed: "write on_replay: run",
  "too-old": "raise its max_age",
  "not-active": "change its active",
  "stage-shadow": "write stage: live",
  "expression-error": "mend the expression",
};

function keptBack(verdict: Verdict, { now }: SilenceEvidence): TraceOutcome {
  const { ruleId, reason, until } = verdict;
  const isCooling = reason === "cooldown" && until !== undefined && now !== undefined;
  return {
    word: WORDS[reason] ?? "no-match",
    reason: `rule ${isCooling ? cooldownInWords(ruleId, until, now) : verdictInWords(verdict)}`,
    repair: changeRule(CHANGES[reason] ?? "change the rule", verdict),
  };
}

function cooldownInWords(ruleId: string, until: number, now: number): string {
  return until > now
    ? `${ruleId} is cooling down for ${durationText(until - now)}`
    : `${ruleId} was cooling down until ${timeInWords(until, now)}`;
}

/** Returns the outcome for a hand-over that silenced the rules, whether it is open or has been resolved. */
function silentHere(by: string, { escalations, now, seq, event }: SilenceEvidence): TraceOutcome {
  const id = Number(/^escalation (\d+)$/.exec(by)?.[1]);
  const escalation = escalations.find((one) => one.id === id);
  const { silences, resolvedAt } = escalation ?? {};
  const end = silences?.until;
  const isOver = resolvedAt !== undefined || (end !== undefined && now !== undefined && end <= now);
  if (isOver) {
    const since = timeInWords(resolvedAt ?? end ?? 0, now);
    return {
      word: "paused",
      reason: `the bot was silent here by ${by}, which is over since ${since}; what was written before stays unanswered`,
      repair: {
        inWords: `answer it by hand: ${answerCommand(event)}; what the person writes from now on is answered`,
      },
    };
  }
  const until = end === undefined ? "" : `${timeInWords(end, now)} or `;
  return {
    word: "paused",
    reason: `the bot is silent here by ${by}, until ${until}a person has resolved it`,
    repair: Number.isNaN(id) ? look(shell`answerback why ${seq}`) : resolve(id),
  };
}

/** Command with which an operator answers the person of an event. */
function answerCommand(event: AccountEvent | undefined): string {
  if (event === undefined || !("sender" in event)) return "answerback answer @HANDLE TEXT";
  const { id, username } = event.sender;
  return shell`answerback answer ${username === undefined ? id : `@${username}`} TEXT`;
}

function noMatch(evidence: SilenceEvidence, see: TraceRepair): TraceOutcome {
  const { event, verdicts, ruleset, now, listening } = evidence;
  const closest =
    event && ruleset && closestRule(verdicts, event, ruleset, now ?? evidence.decision.context.now);
  if (closest !== undefined) {
    const { ruleId, inWords, nearly } = closest;
    const typo = nearly === undefined ? "" : ` ("${nearly.found}" is nearly "${nearly.wanted}")`;
    return {
      word: "no-match",
      reason: `no rule matched; the closest is ${ruleId}: it ${inWords}${typo}`,
      repair: changeRule(`change ${ruleId}`, closest),
    };
  }
  const [only] = verdicts;
  const one = verdicts.length === 1 && only !== undefined ? `: ${verdictInWords(only)}` : "";
  const all =
    verdicts.length === 0 && listening > 1
      ? `none of the ${listening} rules that listen to it matched`
      : "no rule matched";
  return { word: "no-match", reason: `${all}${one}`, repair: see };
}
