import type { YAMLParseError } from "yaml";
import type { Mistake } from "../problem.ts";
import type { Line } from "./yaml-lines.ts";
import type { Trap } from "./trap.ts";

/** A mistake of the text, and what to cover up so that the rest can be read as it is meant. */
export interface Torn extends Trap {
  readonly cover?: { readonly start: number; readonly end: number; readonly fill: "x" | " " };
}

/** Says what a parser's error comes from, if it is of its kind; `up` are the lines from it upwards. */
export type Explain = (
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
) => Torn | undefined;

export function trap(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake };
}

/** A mistake whose whole extent is a text that YAML does not read as one. */
export function covered(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake, cover: { start, end, fill: "x" } };
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
