import type { Verdict, VerdictReason } from "../../rules/decide.ts";
import type { RefusedAnswer } from "../../rules/run.ts";
import { clauseInWords, valueInWords } from "./clause.ts";

const REASONS: Readonly<Partial<Record<VerdictReason, string>>> = {
  "own-event": "the account itself did this",
  "not-own-event": "it asks for what the account itself does (direction: outbound)",
  "other-conversation": "its trigger is for other conversations (in: private, group or any)",
  disabled: "it is switched off (enabled: false)",
  "stage-draft": "it is a draft (stage: draft)",
  "stage-shadow": "it matches, and only shadows (stage: shadow)",
  replayed: "it leaves what is replayed (on_replay)",
};

/**
 * Describes a rule's verdict in one line: `refund: no match: wants the word "refund", the message is "hi"`.
 *
 * @param undecided Reason why nothing was decided, so that no rule ran. Absent: the verdict is of a decision.
 */
export function verdictInWords(
  { ruleId, outcome, reason, clause }: Verdict,
  undecided?: string,
): string {
  if (outcome === "ran") return `${ruleId} ${undecided === undefined ? "ran" : "would run"}`;
  const sentence = REASONS[reason];
  if (sentence !== undefined) return `${ruleId} did not run: ${sentence}`;
  if (clause === undefined) return `${ruleId} did not run: ${reason}`;
  if (reason === "condition") return `${ruleId}: no match: ${clauseInWords(clause)}`;
  if (reason === "group-already-matched") {
    const kind = /\.ya?ml not yet/.test(clause.wanted) ? "file" : "group";
    return `${ruleId}: not asked: rule ${String(clause.actual)} matched first (one answer per ${kind})`;
  }
  if (reason === "paused") {
    return `${ruleId} did not run: the bot is silent here by ${String(clause.actual)}, and the rule does not say interrupts: true`;
  }
  return `${ruleId} did not run, ${reason}: ${clause.path}: ${clauseInWords(clause)}`;
}

/**
 * Describes an answer that did not fit its question, in one line.
 *
 * @param by Id of the run that asked the question: `1/rule:order`.
 * @param said Text of the person.
 */
export function refusedInWords(
  { question, wanted }: RefusedAnswer,
  by: string,
  said: string | undefined,
): string {
  return `refused as an answer to ${question} (${by}): it wants ${wanted}, the message is ${valueInWords(said)}`;
}
