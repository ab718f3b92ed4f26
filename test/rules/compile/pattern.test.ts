import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { compilePattern, type Pattern } from "../../../src/rules/expression/patterns/pattern.ts";
import { capturedText } from "../../../src/rules/expression/patterns/captured-text.ts";
import { tidy } from "../../../src/text/fold.ts";
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

/**
 * Returns the text of each named group of a pattern that is case-sensitive; empty for a group without a part in the
 * match.
 */
function captures(pattern: Pattern, text: string): Readonly<Record<string, string>> | undefined {
  return capturedText([pattern], text, true);
}

const greek = (letter: string): string => (letter === "a" ? "α" : "β");

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
  ])("%s captures its named groups in %s: %s: %s", (source, text, held) => {
    expect(captures(patternOf(source), text)).toEqual({ n: held });
    expect(captures(patternOf(source), PADDING + text)).toEqual({ n: held });
    expect(captures(patternOf(source), "nothing")).toBeUndefined();
  });

  test.each([
    ["❤️", "I ❤️ tea"],
    ["(❤️|☀️) love", "☀️ love"],
    ["[❤️]", "❤"],
    ["⚠️ .*", "⚠️ hot"],
    ["\\d+ ?℃", "20 ℃"],
    ["½", "½ a cake"],
    ["￥\\d+", "￥300"],
    ["はい｡", "はい。"],
    ["a＿b", "a_b"],
    ["（a＋b）", "(a+b)"],
    ["［a］", "[a]"],
    ["^acme™? shoes$", "acme shoes"],
    ["^acme™? shoes$", "acme™ shoes"],
    ["^wait…{2}$", "wait……"],
    ["^acme[™®]? boots$", "acme™ boots"],
    ["^acme[™®]? boots$", "acme® boots"],
    ["^[…!^]+$", "!…^"],
    ["^[\\d½]{2}$", "2½"],
    ["^[^.!?…]{2}$", "hi"],
    ["^👩‍[🚀🔬]$", "👩‍🚀"],
    ["^👩🏽‍(?:🚀|🔬)$", "👩🏽‍🚀"],
    ["^[👩👨][🏻-🏿]?‍🚀$", "👩🏽‍🚀"],
    ["^❤️‍[🔥🩹]$", "❤️‍🔥"],
    ["^hola\u0301$", "holá"],
    ["^ｶﾞ$", "ガ"],
    ["^\\Q…\\E$", "…"],
    ["it\\x{2019}s", "it’s"],
    ["it\\x{2019}s", "it's"],
    ["a\\x{2014}b", "a—b"],
    ["^wait\\x{2026}{2}$", "wait……"],
    ["a\\xa0b", "a\u00a0b"],
    ["^[\\x{2010}-\\x{2015}]$", "–"],
    ["^[\\x{2018}-\\x{201d}]+$", "‘”"],
    ["^[\\x{2026}!]+$", "!…"],
    ["^don[^\\x{2019}]t$", "don-t"],
    ["^hola\\x{301}$", "holá"],
    ["^[\\xa0-\\xff]$", "é"],
    ["^\\x{1f468}\\x{200d}\\x{1f680}$", "👨‍🚀"],
  ])("may have signs whose tidied form is another one: %s in %s", (source, text) => {
    expect(patternOf(source).test(tidy(text))).toBe(true);
    expect(patternOf(source).test("nothing")).toBe(false);
  });

  test.each([
    ["^[\\xa0-\\xff]$", "a"],
    ["^don[^\\x{2019}]t$", "don’t"],
    ["^\\\\x{2}$", "\\x{2019}"],
    ["^\\Q\\x{2019}\\E$", "’"],
  ])("keeps the other characters of a code: %s not in %s", (source, text) => {
    expect(patternOf(source).test(tidy(text))).toBe(false);
  });

  it("has no sign of several characters in part", () => {
    expect(patternOf("^acme[™®]? boots$").test("acmeT boots")).toBe(false);
    expect(patternOf("^ab\u200dcd$").test("abcd")).toBe(true);
  });

  test.each(["[½-¾]", "é[a-…]", "[^½]", "[^\\w…]"])(
    "may not exclude a sign of several characters, or have it in a range: %s",
    (source) => {
      const fault = compilePattern(source, false);

      expect("mistake" in fault && [fault.mistake.code, source.slice(fault.offset)]).toEqual([
        "regex-never-matches",
        source.slice(source.search(/[½…]/)),
      ]);
      expect("mistake" in compilePattern(source, true)).toBe(false);
    },
  );

  test.each([
    ["(?m)^name: (?P<name>.+)$", "(?m)"],
    ["x(?i:y)(?im:^z)", "(?im:"],
    ["order {2,}now", " {2,}"],
    ["order  now", "  "],
    ["a\\s\\s+b", "\\s\\s+"],
    ["^\\s+hello", "^\\s+"],
    ["(?i)hello $", " $"],
    ["a[ ][[:space:]]b", "[ ][[:space:]]"],
    ["a\\\\\\n", "\\n"],
    ["[,\\n]", "\\n"],
  ])("may not require what the searched text never has: %s", (source, part) => {
    const fault = compilePattern(source, false);

    expect("mistake" in fault && fault).toMatchObject({
      mistake: { code: "regex-never-matches", help: expect.stringContaining("cased: true") },
      offset: source.lastIndexOf(part),
      length: part.length,
    });
    expect("mistake" in compilePattern(source, true)).toBe(false);
  });

  test.each([
    ["note: (?P<rest>[^\\n]+)", "note: a b"],
    ["^[^\\r\\n]+$", "a b"],
    ["a\\\\n", "a\\n"],
    ["(?m)name", "my name"],
    ["^\\s*hello\\s*$", "hello"],
    ["a\\s ?b", "a b"],
    ["(?:^|\\s)hello(?: |$)", "hello"],
    ["a(?: {2,}|,)b", "a,b"],
    ["^ hello|bye", "bye"],
    ["a(?: ) ?b", "a b"],
  ])("may have white space that the searched text can have: %s in %j", (source, text) => {
    expect(patternOf(source).test(tidy(text))).toBe(true);
  });

  it("has the same result in a long text by its automaton and by its program", () => {
    const draw = draws(3);
    const texts = [PADDING, `${PADDING}x1`, `${PADDING}secrets`, `é${PADDING}\u00df`];
    let compared = 0;
    for (let n = 0; n < 400; n++) {
      const compiled = compilePattern(hostilePattern(draw, 1 + draw.next(3)), n % 2 === 0);
      if ("mistake" in compiled) continue;
      for (const text of texts) {
        expect(compiled.test(text), compiled.source).toBe(captures(compiled, text) !== undefined);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });

  test.each([
    ["\\b(?P<n>\\p{L}+)\\b", "¡sí!", "sí", "between signs"],
    [
      "^\\w+\\b(?P<n>.*)$",
      "да, 𝒳_ 7",
      ", 𝒳_ 7",
      "behind a boundary, with a character of two units",
    ],
    ["(?P<n>\\b\\d+\\b)", "ж5 55", "55", "behind a letter with a digit"],
    ["x(?P<n>)\\by?$", "é x", "", "nothing"],
  ])("%s matches in %j, with this value of the group %j: %s", (source, text, held) => {
    expect(captures(patternOf(source, true), text)).toEqual({ n: held });
    expect(captures(patternOf(source, true), `${"- ".repeat(300)}${text}`)).toEqual(
      source.startsWith("^") ? undefined : { n: held },
    );
  });

  it("with word boundaries finds the same in other scripts as in ASCII letters", () => {
    const pieces = ["\\b", "\\B", "a", "\\w", "\\W?", " ", "^", "$", "(?:a|b)", ".*", "_", "[^a]+"];
    const source = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 });
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "_", "0", " ", "-"), maxLength: 6 });
    fc.assert(
      fc.property(source, texts, (written, text) => {
        const source = written.join("");
        fc.pre(/[^\\bB^$]/.test(source));
        const plain = patternOf(`(?P<n>${source})`, true);
        const other = patternOf(`(?P<n>${source.replaceAll(/(?<!\\)[ab]/g, greek)})`, true);
        expect(captures(plain, text)?.["n"]?.replaceAll(/[ab]/g, greek)).toBe(
          captures(other, text.replaceAll(/[ab]/g, greek))?.["n"],
        );
      }),
    );
  });

  it("may not combine word boundaries with line anchors", () => {
    const fault = compilePattern("(?m)^\\bhi", true);
    expect("mistake" in fault && fault.mistake).toMatchObject({
      code: "regex-syntax",
      help: expect.stringContaining("(?:^|\\W)"),
    });
    expect(faultOf("(?m)\\bhi")).toBeUndefined();
  });

  it("may be longer if it captures no group", () => {
    expect(faultOf("(?:ab?){1,40}")).toBeUndefined();
    expect(faultOf("(?P<n>(?:ab?){1,40})")).toContain("the limit of 120");
    expect(faultOf("(?:ab?){1,99}")).toContain("the limit of 200");
  });
});
