import type { YAMLParseError } from "yaml";
import type { Mistake } from "../problem.ts";
import type { Line } from "./yaml-lines.ts";
import type { Trap } from "./trap.ts";

/** A mistake in the text. `cover` is the range to hide, so that the rest of the text can be read as intended. */
export interface Torn extends Trap {
  readonly cover?: { readonly start: number; readonly end: number; readonly fill: "x" | " " };
}

/** Explains one kind of parser error; undefined for other kinds. `up` has the lines from the error upwards. */
export type Explain = (
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
) => Torn | undefined;

export function trap(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake };
}

/** Creates a mistake for a range that YAML misreads. Filler covers this range when the rest of the text is read. */
export function covered(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake, cover: { start, end, fill: "x" } };
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
