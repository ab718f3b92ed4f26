import type { Problem } from "../../../config/problem.ts";
import type { Documents } from "../project/placed-rule.ts";
import type { RuleOutline } from "./rule-outline.ts";

/** Outline of a rule file (the ids of its rules and of the rules that it calls), with the problems found so far. */
interface FoundInFile {
  readonly outline: RuleOutline;
  readonly problems: readonly Problem[];
}

/**
 * Yields a problem for each rule whose id an earlier rule already has, if one of the two has no triggers (other rules
 * run it).
 *
 * @param mostProblems Maximum number of problems per file: further repeats in that file are not reported.
 */
export function* repeatedIds(
  files: readonly FoundInFile[],
  documents: Documents,
  mostProblems: number,
): Generator<Problem> {
  if (files.every(({ outline }) => outline.untriggered.size === 0)) return;
  const first = new Map<string, OutlinedRule>();
  for (const { outline, problems } of files) {
    let problemCount = problems.length;
    for (const [index, id] of outline.ids.entries()) {
      if (id === undefined) continue;
      const before = first.get(id);
      if (before === undefined) first.set(id, { outline, index });
      else if (
        problemCount < mostProblems &&
        (hasNoTriggers(before) || hasNoTriggers({ outline, index }))
      ) {
        problemCount += 1;
        yield repeated(id, before, { outline, index }, documents);
      }
    }
  }
}

interface OutlinedRule {
  readonly outline: RuleOutline;
  readonly index: number;
}

function hasNoTriggers({ outline, index }: OutlinedRule): boolean {
  return outline.untriggered.has(index);
}

function repeated(
  id: string,
  before: OutlinedRule,
  { outline, index }: OutlinedRule,
  documents: Documents,
): Problem {
  const other = documents.of(before.outline);
  const [line] = other.linesOf(["rules", before.index]);
  const message = `the rule id "${id}" is taken: ${other.file}:${line}${outline.note}`;
  const help = `write another id, as ${id}-2`;
  const mistake = { code: "duplicate-id", message, help } as const;
  return documents.of(outline).problemAt(["rules", index, "id"], mistake);
}
