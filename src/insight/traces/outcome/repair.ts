import { shell } from "../../../text/shell.ts";

/** Step that ends a silence: a sentence for people, and what a button does. */
export interface TraceRepair {
  /** A step, or a step and its command: `send it now: answerback outbox retry 7`. */
  readonly inWords: string;
  readonly does?: RepairDeed;
}

/** Deed of a button that ends a silence. */
export type RepairDeed =
  | { readonly kind: "retry-item"; readonly id: number; readonly anyway?: true }
  | { readonly kind: "drop-item"; readonly id: number }
  | { readonly kind: "resolve-escalation"; readonly id: number };

/** Sends an item now that was not sent. */
export function sendNow(id: number): TraceRepair {
  return {
    inWords: `send it now: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Sends an item again whose refusal has to be solved first. */
export function sendAgain(id: number): TraceRepair {
  return {
    inWords: `send it again once that is solved: ${shell`answerback outbox retry ${id}`}`,
    does: { kind: "retry-item", id },
  };
}

/** Ends the silence of a hand-over. */
export function resolve(id: number): TraceRepair {
  return {
    inWords: `let the bot answer again: ${shell`answerback escalations resolve ${id}`}`,
    does: { kind: "resolve-escalation", id },
  };
}

/** A change of a rule, at its place in the file. */
export function changeRule(
  what: string,
  { file, line }: { readonly file: string; readonly line: number },
): TraceRepair {
  return { inWords: `${what} (${file}:${line})` };
}

/** A command that shows more. */
export function look(command: string): TraceRepair {
  return { inWords: `see ${command}` };
}
