import { describe, expect, it, test } from "vitest";
import { compile, type SourceFile } from "../../../src/rules/compile/compile.ts";
import { recompile } from "../../../src/rules/compile/recompile.ts";
import { filesNamedIn } from "../../../src/rules/compile/shared/named-in-file.ts";
import { withNamedFiles } from "../../../src/rules/compile/with-named-files.ts";
import { decide, explain } from "../../../src/rules/decide/decide.ts";
import { linesOfList } from "../../../src/rules/lists/list-text.ts";
import type { NamedFile } from "../../../src/rules/named-files.ts";
import type { Ruleset } from "../../../src/rules/ruleset.ts";
import { messageReceived } from "../../support/events.ts";
import { filesOf, rulesetOf } from "../support/compiling.ts";

const RULE =
  "rules: [{id: a, triggers: [dm.received], conditions: [CONDITION], actions: [{reply_dm: hi}]}]";
const withList = (list: string, condition = "text: {in_list: words}") =>
  `lists: {words: ${list}}\n${RULE.replace("CONDITION", condition)}`;
const runsFor = (ruleset: Ruleset, text: string) => {
  const event = messageReceived({ text, hashtags: text.split(" ") });
  const { runs } = decide(event, ruleset, { now: event.at });
  // `explain` evaluates every rule; `decide` first rules out rules by an index, and must come to the same result
  const [verdict] = explain(event, ruleset, { now: event.at });
  expect(verdict?.outcome === "ran").toBe(runs.length > 0);
  return runs.length > 0;
};

describe("a list", () => {
  test.each([
    [
      "{match: exact, entries: [hi, you there]}",
      "You  THERE",
      true,
      "the whole text, as people mean it",
    ],
    ["{match: exact, entries: [hi]}", "hi you", false, "not a part of it"],
    ["{match: word, entries: [scam, two words]}", "these TWO words!", true, "whole words"],
    ["{match: word, entries: [scam]}", "scampi", false, "not a part of one"],
    ["{match: word, entries: [scam, scampi]}", "scampi", true, "another entry begins like it"],
    ["{match: contains, entries: [cam]}", "scampi", true, "a part of a word"],
    ["{match: starts_with, entries: ['re:']}", "RE: offer", true, "the beginning"],
    ["{match: starts_with, entries: [re]}", "more", false, "nothing after the beginning"],
    ["{match: ends_with, entries: [.zip]}", "get it.ZIP", true, "the end"],
    ["{match: ends_with, entries: [.zip]}", "it.zipped", false, "nothing before the end"],
    ["{match: word, entries: [scam]}", "ｓｃａｍ", true, "width does not count"],
    ["{match: word, entries: [scam], normalize: []}", "SCAM", false, "unless case counts"],
    ["{match: word, entries: [scam], normalize: [case]}", "SCAM", true, "case alone is left out"],
    ["{match: word, entries: [scam], normalize: [case]}", "ｓｃａｍ", false, "then width counts"],
    [
      "{match: word, entries: [scam], normalize: [width]}",
      "ｓｃａｍ",
      true,
      "width alone is left out",
    ],
    ["{match: word, entries: [scam], normalize: [width]}", "SCAM", false, "then case counts"],
    ["{match: word, entries: [scam]}", "ѕсаm", false, "letters that look alike are others"],
    [
      "{match: word, entries: [scam], normalize: [case, width, homoglyphs]}",
      "ѕсаm",
      true,
      "Cyrillic",
    ],
    [
      "{match: word, entries: [bad], normalize: [case, width, homoglyphs]}",
      "ΒАD",
      true,
      "Greek, capitals",
    ],
    [
      "{match: word, entries: [fail], normalize: [case, width, homoglyphs]}",
      "𝓯𝓪𝓲𝓵",
      true,
      "mathematical",
    ],
    [
      "{match: word, entries: [naive], normalize: [case, width, homoglyphs]}",
      "naïve",
      true,
      "accents",
    ],
    [
      "{match: word, entries: [ναι], normalize: [case, width, homoglyphs]}",
      "ΝΑΙ",
      true,
      "one alphabet",
    ],
    ["{match: word, entries: [007]}", "agent 007", true, "digits are taken as they are written"],
  ])("%s: %s is %s: %s", (list, text, holds) => {
    expect(runsFor(rulesetOf(withList(list)), text)).toBe(holds);
  });

  it("is compared with the members of a field that is a list", () => {
    const ruleset = rulesetOf(withList("[offer, sale]", "message.hashtags: {in_list: words}"));

    expect(runsFor(ruleset, "big SALE")).toBe(true);
    expect(runsFor(ruleset, "sales offers")).toBe(false);
  });

  it("may be one of several in a condition", () => {
    const lists = "lists: {a: {match: word, entries: [one]}, b: {match: word, entries: [two]}}";
    const ruleset = rulesetOf(`${lists}\n${RULE.replace("CONDITION", "text: {in_list: [a, b]}")}`);

    expect(runsFor(ruleset, "number two")).toBe(true);
    expect(runsFor(ruleset, "number three")).toBe(false);
  });

  it("is named in the description of the condition, without its entries", () => {
    const ruleset = rulesetOf(withList("{match: word, entries: [scam]}"));
    const event = messageReceived();

    expect(explain(event, ruleset, { now: event.at })[0]?.clause).toMatchObject({
      wanted: "text in_list words",
    });
  });

  it("of 10,000 entries is found by the index, at a cost that depends only on the text", () => {
    const entries = Array.from({ length: 10_000 }, (_, number) => `word${number * 7}x`);
    const ruleset = rulesetOf(withList("{file: words.txt, match: word}"), {
      "words.txt": entries.join("\n"),
    });
    const event = messageReceived({ text: "a long message without any of them ".repeat(20) });

    expect(decide(event, ruleset, { now: event.at })).toMatchObject({ judged: [], ruledOut: 1 });
    expect(runsFor(ruleset, "has word69993x in it")).toBe(true);
    expect(runsFor(ruleset, "has word69994x in it")).toBe(false);
  });
});

describe("a list file", () => {
  it("has one entry per line, apart from comments, empty lines and a byte order mark", () => {
    expect(linesOfList("\uFEFFone\r\n# a comment\n\n  two words  \n#tag\n#\n")).toEqual([
      { text: "one", line: 1 },
      { text: "two words", line: 4 },
      { text: "#tag", line: 5 },
    ]);
  });

  it("is named by lists and conditions, relative to the rule file", () => {
    const text = `version: 1
lists:
  slurs: {file: ../lists/slurs.txt}
rules:
  - {id: a, triggers: [dm.received], conditions: [{not: {sender.id: {in_list: lists/staff.txt}}}], actions: [like]}
`;

    expect(filesNamedIn("rules/more/a.yaml", text)).toEqual([
      "rules/lists/slurs.txt",
      "rules/more/lists/staff.txt",
    ]);
  });

  it("is read once for all that use it", async () => {
    const text = `version: 1\n${withList("{file: words.txt, match: word}")}`;
    const files = [
      { path: "rules/a.yaml", text },
      { path: "rules/b.yaml", text: text.replace("id: a", "id: b") },
    ];
    const read: string[] = [];
    const named = await withNamedFiles(files, async (path) => (read.push(path), { text: "scam" }));

    expect(read).toEqual(["rules/words.txt"]);
    expect(compile(named).problems).toEqual([]);
  });

  it("is a separate list in each file that defines it", () => {
    const text = `version: 1\n${withList("{match: word, entries: [scam]}")}`;
    const other = text.replace("id: a", "id: b").replace("scam", "spam");

    expect(
      compile([
        { path: "a.yaml", text },
        { path: "b.yaml", text: other },
      ]).problems,
    ).toEqual([]);
  });

  const problemsOf = (text: string, read: NamedFile | undefined) => {
    const named = read === undefined ? {} : { "lists/words.txt": read };
    return compile([{ path: "a.yaml", text: `version: 1\n${text}`, named }]).problems.map(
      ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`,
    );
  };
  const LIST = withList("{file: lists/words.txt, match: word}");
  const CONDITION = RULE.replace("CONDITION", "sender.id: {in_list: lists/words.txt}");
  test.each<[NamedFile | undefined, string]>([
    [undefined, "is not there"],
    [{ refused: "missing" }, "is not there"],
    [{ refused: "outside" }, "lies outside the project"],
    [{ refused: "not-utf8" }, "is not UTF-8"],
    [{ refused: "too-large" }, "is larger than 1024 KiB"],
    [{ refused: "unreadable" }, "can't be read"],
  ])("that is %o is reported where it is used: it %s", (read, why) => {
    const message = `named-file: the file lists/words.txt ${why}`;

    expect(problemsOf(LIST, read)).toEqual([`a.yaml:2:23 ${message}`]);
    expect(problemsOf(CONDITION, read)).toEqual([`a.yaml:2:76 ${message}`]);
  });

  it("with an entry that is empty after folding is reported at that line", () => {
    expect(problemsOf(LIST, { text: "scam\n\u200b\u00ad\n" })).toEqual([
      "lists/words.txt:2:1 empty-operand: this entry has only characters that comparisons ignore",
    ]);
  });

  it("without entries is reported", () => {
    expect(problemsOf(LIST, { text: "# soon\n" })).toEqual([
      "lists/words.txt:1:1 list-entries: this list has no entries",
    ]);
  });

  it("with a mistake affects only the rules that use it", () => {
    const other = "\n  - {id: b, triggers: [dm.received], actions: [{reply_dm: ho}]}";
    const text = `version: 1\nlists: {words: {file: gone.txt}}\nrules:\n  - {id: a, triggers: [dm.received], conditions: [{text: {in_list: words}}], actions: [like]}${other}`;
    const { ruleset } = compile([{ path: "a.yaml", text: text.replace("[like]", "[follow]") }]);

    expect(ruleset.rules.map(({ id }) => id)).toEqual(["b"]);
  });
});

describe("the revision of a rule that uses a list", () => {
  const file = (list: string, more = "[x]"): SourceFile => ({
    path: "a.yaml",
    text: `version: 1\nlists: {words: {file: words.txt, match: word}, others: ${more}}\n${RULE.replace("CONDITION", "text: {in_list: words}")}`,
    named: filesOf({ "words.txt": list, "others.txt": "other" }),
  });
  const ruleIn = (source: SourceFile) => {
    const [rule] = compile([source]).ruleset.rules;
    if (!rule) throw new Error("no rule");
    return rule;
  };

  it("changes with an entry, and not with a comment or another list", () => {
    const { revision } = ruleIn(file("scam"));

    expect(ruleIn(file("spam")).revision).not.toBe(revision);
    expect(ruleIn(file("# words\nscam")).revision).toBe(revision);
    expect(ruleIn(file("scam", "[y]")).revision).toBe(revision);
  });

  it("is restored from the stored file, whatever the list contains now", () => {
    const rule = ruleIn(file("scam"));
    const { named = {}, ...source } = rule.source;
    const needed = { "words.txt": named["words.txt"] ?? { text: "" } };
    const pinned = { ...source, ruleId: "a", revision: rule.revision };

    expect(rule.named).toEqual(["words.txt"]);
    expect(recompile({ ...pinned, named: needed })?.revision).toBe(rule.revision);
    expect(recompile({ ...pinned, named: filesOf({ "words.txt": "spam" }) })).toBeUndefined();
  });
});
