import { shell } from "../../../text/shell.ts";

/** Step that makes the bot answer: a sentence for people, and the operation of a button in the console. */
export interface TraceRepair {
  /** Text of the step, with a command if there is one: `send it now: answerback outbox retry 7`. */
  readonly inWords: string;
  readonly does?: RepairDeed;
}

/** Operation with which a button in the console applies a repair. */
export type RepairDeed =
  | { readonly kind: "retry-item"; readonly id: number; readonly anyway?: true }
  | { readonly kind: "drop-item"; readonly id: number }
  | { readonly kind: "resolve-escalation"; readonly id: number };

/** Returns the repair that sends an outbox item now. */
export function sendNow(id: number): TraceRepair {
  return {
    inWords: `send it now: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Returns the repair that sends an outbox item again. Its text asks the reader to remove the cause of the refusal first. */
export function sendAgain(id: number): TraceRepair {
  return {
    inWords: `send it again once that is solved: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Returns the repair that resolves a hand-over. This ends the silence of rules and bots. */
export function resolve(id: number): TraceRepair {
  return {
    inWords: `let the bot answer again: ${shell`answerback escalations resolve ${id}`}`,
    does: { kind: "resolve-escalation", id },
  };
}

/** Returns the repair that changes a rule at a place in its file. */
export function changeRule(
  what: string,
  { file, line }: { readonly file: string; readonly line: number },
): TraceRepair {
  return { inWords: `${what} (${file}:${line})` };
}

/** Returns the repair that shows more details: a command to run. */
export function look(command: string): TraceRepair {
  return { inWords: `see ${command}` };
}
