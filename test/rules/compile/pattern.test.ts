import { describe, expect, it, test } from "vitest";
import { compilePattern, type Pattern } from "../../../src/rules/compile/pattern.ts";
import { draws, hostilePattern } from "../support/hostile-input.ts";

function patternOf(source: string, cased = false): Pattern {
  const compiled = compilePattern(source, cased);
  if ("mistake" in compiled) throw new Error(compiled.mistake.message);
  return compiled;
}

function faultOf(source: string): string | undefined {
  const compiled = compilePattern(source, false);
  return "mistake" in compiled ? compiled.mistake.message : undefined;
}

const PADDING = "abcd ".repeat(400);

describe("a pattern", () => {
  test.each([
    ["[(](a)(?P<n>b+)", "(abb", "bb", "a bracket in a class"],
    ["[](]x(?P<n>y)", "]xy", "y", "a class that begins with its end"],
    ["\\((?P<n>a)\\)", "(a)", "a", "a bracket that is escaped"],
    ["[[:alpha:](]+(?P<n>1)", "ab(1", "1", "a class by name"],
    ["[^(](?P<n>z)", "az", "z", "a class of all others"],
    ["\\Q(\\E(?P<n>b)", "(b", "b", "a quoted bracket"],
    ["(x)?(?P<n>y)(z)", "yz", "y", "groups that have no name"],
  ])("%s captures what its name says in %s: %s: %s", (source, text, held) => {
    expect(patternOf(source).captures(text)).toEqual({ n: held });
    expect(patternOf(source).captures(PADDING + text)).toEqual({ n: held });
    expect(patternOf(source).captures("nothing")).toBeUndefined();
  });

  it("says of a long text by its automaton what it says by its program", () => {
    const draw = draws(3);
    const texts = [PADDING, `${PADDING}x1`, `${PADDING}secrets`, `é${PADDING}\u00df`];
    let compared = 0;
    for (let n = 0; n < 400; n++) {
      const compiled = compilePattern(hostilePattern(draw, 1 + draw.next(3)), n % 2 === 0);
      if ("mistake" in compiled) continue;
      for (const text of texts) {
        expect(compiled.test(text), compiled.source).toBe(compiled.captures(text) !== undefined);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  it("may be longer where it has no group whose text is remembered", () => {
    expect(faultOf("(?:ab?){1,40}")).toBeUndefined();
    expect(faultOf("(?P<n>(?:ab?){1,40})")).toContain("at most 120");
    expect(faultOf("(?:ab?){1,99}")).toContain("at most 200");
  });
});
