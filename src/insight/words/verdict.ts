import type { Verdict, VerdictReason } from "../../rules/decide.ts";
import type { RefusedAnswer } from "../../rules/run.ts";

const REASONS: Readonly<Partial<Record<VerdictReason, string>>> = {
  "own-event": "the account itself did this",
  "not-own-event": "it asks for what the account itself does (direction: outbound)",
  disabled: "it is switched off (enabled: false)",
  "stage-draft": "it is a draft (stage: draft)",
  "stage-shadow": "it matches, and only shadows (stage: shadow)",
  replayed: "it leaves what is replayed (on_replay)",
};

/** What a rule said of an event, in one line: `faq-refund  no: message.text contains_word refund, is "hi"`. */
export function verdictInWords({ ruleId, outcome, reason, clause }: Verdict): string {
  if (outcome === "ran") return `${ruleId} ran`;
  const why = REASONS[reason];
  if (why !== undefined) return `${ruleId} did not run: ${why}`;
  if (clause === undefined) return `${ruleId} did not run: ${reason}`;
  if (reason === "paused") {
    return `${ruleId} did not run: the bot is silent here by ${String(clause.actual)}, and the rule does not say interrupts: true`;
  }
  return `${ruleId} did not run, ${reason}: ${clauseInWords(clause)}`;
}

/** A clause that failed: where it stands, what it asked for, what was there. */
export function clauseInWords({
  path,
  wanted,
  actual,
  error,
}: NonNullable<Verdict["clause"]>): string {
  const found = error === undefined ? `there is ${valueInWords(actual)}` : error;
  return `${path}: ${wanted}; ${found}`;
}

/** A value as people read it. */
export function valueInWords(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 120 ? `${text.slice(0, 117)}…"` : text;
}

/**
 * An answer that a question did not take, in one line.
 *
 * @param by What asked the question: `1/rule:order`.
 * @param said What the person wrote.
 */
export function refusedInWords(
  { question, wanted }: RefusedAnswer,
  by: string,
  said: string | undefined,
): string {
  return `refused as an answer to ${question} (${by}): it wants ${wanted}, the message is ${valueInWords(said)}`;
}
