import type { Spot } from "../config/problem.ts";

/** A step that calls a function of a module. */
export interface CallUse {
  /** As written in the rule file: a path that starts from its folder. */
  readonly module: string;
  /** Name of the export. */
  readonly export: string;
  /** Where the target is written. */
  readonly at: Spot;
}
