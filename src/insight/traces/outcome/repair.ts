import { shell } from "../../../text/shell.ts";

/** Repair for a missing answer: a sentence for people, and the command of a button. */
export interface TraceRepair {
  /** A step, or a step and its command: `send it now: answerback outbox retry 7`. */
  readonly inWords: string;
  readonly does?: RepairDeed;
}

/** Command of a button that applies a repair. */
export type RepairDeed =
  | { readonly kind: "retry-item"; readonly id: number; readonly anyway?: true }
  | { readonly kind: "drop-item"; readonly id: number }
  | { readonly kind: "resolve-escalation"; readonly id: number };

/** Returns the repair that sends an unsent item now. */
export function sendNow(id: number): TraceRepair {
  return {
    inWords: `send it now: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Returns the repair that sends an item again once the cause of its refusal is solved. */
export function sendAgain(id: number): TraceRepair {
  return {
    inWords: `send it again once that is solved: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Returns the repair that resolves a hand-over, which ends its silence. */
export function resolve(id: number): TraceRepair {
  return {
    inWords: `let the bot answer again: ${shell`answerback escalations resolve ${id}`}`,
    does: { kind: "resolve-escalation", id },
  };
}

/** Returns the repair that changes a rule, with its place in the file. */
export function changeRule(
  what: string,
  { file, line }: { readonly file: string; readonly line: number },
): TraceRepair {
  return { inWords: `${what} (${file}:${line})` };
}

/** Returns the repair that shows details by a command. */
export function look(command: string): TraceRepair {
  return { inWords: `see ${command}` };
}
