import type { WordFinding, WordRule } from "./judge-words.ts";

/** Numbers of findings by top folder (`src`, `test`; `documents` for files at the top), then by rule. */
export type WordCounts = Readonly<Record<string, Readonly<Partial<Record<WordRule, number>>>>>;

/** Counts findings by rule and top folder, folders in the order of their names. */
export function countsOf(findings: readonly WordFinding[]): WordCounts {
  const counts: Record<string, Partial<Record<WordRule, number>>> = {};
  for (const { path, rule } of findings) {
    const folder = (counts[topFolder(path)] ??= {});
    folder[rule] = (folder[rule] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns today's counts where none of them is above its bound. @throws {Error} naming each count that grew. */
export function shrunk(bounds: WordCounts, counts: WordCounts): WordCounts {
  const grown = grownCounts(bounds, counts);
  if (Object.keys(bounds).length > 0 && grown.length > 0) throw new Error(grown.join("\n"));
  return counts;
}

/** Returns a line for each count above its bound. */
export function grownCounts(bounds: WordCounts, counts: WordCounts): readonly string[] {
  return compared(counts, bounds, (count, bound) =>
    count > bound ? `has ${count}, at most ${bound} are allowed` : undefined,
  );
}

/** Returns a line for each bound above its count. */
export function slackBounds(bounds: WordCounts, counts: WordCounts): readonly string[] {
  return compared(bounds, counts, (bound, count) =>
    bound > count ? `allows ${bound}, there are ${count}` : undefined,
  );
}

function compared(
  first: WordCounts,
  second: WordCounts,
  judge: (first: number, second: number) => string | undefined,
): readonly string[] {
  return Object.entries(first).flatMap(([folder, rules]) =>
    Object.entries(rules).flatMap(([rule, number]) => {
      const sentence = judge(
        number,
        Object.entries(second[folder] ?? {}).find(([name]) => name === rule)?.[1] ?? 0,
      );
      return sentence === undefined ? [] : [`${folder}: ${rule}: ${sentence}`];
    }),
  );
}

function topFolder(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "documents";
}
