import type { YAMLParseError } from "yaml";
import type { Mistake } from "../problem.ts";
import type { Line } from "./yaml-lines.ts";
import type { Trap } from "./trap.ts";

/** A mistake in YAML text. To find further mistakes, the text is parsed again with `cover` overwritten by `fill`. */
export interface Torn extends Trap {
  readonly cover?: { readonly start: number; readonly end: number; readonly fill: "x" | " " };
}

/** Explains one kind of YAML parser error; undefined for others. `up`: the error's line, then the lines above it. */
export type Explain = (
  error: YAMLParseError,
  text: string,
  up: readonly Line[],
) => Torn | undefined;

export function trap(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake };
}

/** Creates a mistake for a range that YAML misreads, and that is overwritten by `x` to find further mistakes. */
export function covered(start: number, end: number, mistake: Mistake): Torn {
  return { start, end, mistake, cover: { start, end, fill: "x" } };
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
