import type { Problem } from "./problem.ts";

/** `# check: ignore CODE, CODE` at the end of a line; for a text of several lines, of the one that it begins behind. */
const IGNORE = /#\s*check:\s*ignore\s+([\w\s,-]+)$/;

/** The problems without the warnings that their own lines silence. An error can't be silenced. */
export function withoutIgnored(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity, sourceLine = "", blockLine = sourceLine, code }) => {
    if (severity === "error") return true;
    const codes = IGNORE.exec(blockLine.trimEnd())?.[1]?.split(/[\s,]+/) ?? [];
    return !codes.includes(code);
  });
}
