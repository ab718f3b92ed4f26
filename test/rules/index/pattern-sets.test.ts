import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../src/rules/expression/patterns/pattern.ts";
import {
  LONGEST_SEARCHED,
  type PatternEntry,
  PatternSets,
} from "../../../src/rules/index/pattern-sets.ts";
import { inOnePiece } from "../../../src/system/in-pieces.ts";

const entry = (source: string, rule: number, cased: boolean): PatternEntry => ({
  atom: { kind: "pattern", field: "message.text", source, cased },
  field: 0,
  rule,
});

/** Returns the indexes of the patterns in `sources` that match `text`, as `PatternSets` finds them. */
function foundIn(sources: readonly string[], text: string, cased = false): readonly number[] {
  const entries = sources.map((source, rule) => entry(source, rule, cased));
  const matches: number[] = [];
  const sets = inOnePiece(PatternSets.building(entries));
  for (const piece of sets.search(text, [0], (rule) => matches.push(rule))) piece();
  return matches.sort((a, b) => a - b);
}

const pattern = fc
  .array(
    fc.constantFrom(
      "[a-c]",
      "\\d{2}",
      "\\b",
      ".?",
      "[^b]+",
      "(?:a|[0-4])",
      "^",
      "$",
      "\\s",
      "(?i)",
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(""))
  // such as `\s\s`, which no searched text contains
  .filter((source) => !("mistake" in compilePattern(source, false)));
const text = fc.string({
  unit: fc.constantFrom(..."a b c A B C 0 1 9 - ſ é".split(" "), " "),
  maxLength: 12,
});

describe("patterns as sets", () => {
  it("support character classes of every script", () => {
    expect(foundIn(["^\\d\\w\\b", "^\\W", "^[^\\d]$"], "٣ж")).toEqual([0]);
  });

  it("match what each pattern matches alone", () => {
    const many = fc.array(pattern, { minLength: 1, maxLength: 130 });
    fc.assert(
      fc.property(many, text, fc.boolean(), (sources, subject, cased) => {
        const alone = sources.flatMap((source, rule) => {
          const compiled = compilePattern(source, cased);
          if ("mistake" in compiled) throw new Error(compiled.mistake.message);
          return compiled.test(subject) ? [rule] : [];
        });
        const matches = foundIn(sources, subject, cased);
        // outside ASCII the combined search may find too many patterns, since each has its own word boundaries
        const isExact = /^[ -~]*$/.test(subject);
        expect(isExact ? matches : matches.filter((rule) => alone.includes(rule))).toEqual(alone);
      }),
    );
  });

  it("leave all patterns to be judged if searching the text would take long", () => {
    const sources = Array.from({ length: 100 }, (_, rule) => `[x-z]{${rule + 1}}\\d`);

    expect(foundIn(sources, "a".repeat(LONGEST_SEARCHED))).toEqual([]);
    expect(foundIn(sources, "a".repeat(LONGEST_SEARCHED + 1))).toHaveLength(100);
  });

  it("ignore fields that they don't use", () => {
    const sets = inOnePiece(PatternSets.building([entry("\\d", 0, false)]));

    for (const piece of sets.search("1", [1], () => expect.unreachable())) piece();
  });
});
