import { describe, expect, it } from "vitest";
import { compile, type Compiled, type SourceFile } from "../../../../src/rules/compile/compile.ts";
import { CompiledFiles } from "../../../../src/rules/compile/files/compiled-files.ts";

const file = (path: string, ...lines: readonly string[]): SourceFile => ({
  path,
  text: `version: 1\n${lines.join("\n")}\n`,
});
const rule = (id: string, say: string, keys = "") =>
  `  - {id: ${id}, ${keys}triggers: [dm.received], conditions: [message.text: {contains_word: ${id}}], actions: [{reply_dm: ${say}}]}`;

/** Compiles `before`, then `after` with the cache of the first compilation, and `after` again from scratch. */
function both(before: readonly SourceFile[], after: readonly SourceFile[]) {
  const compiledFiles = new CompiledFiles();
  const first = compile(before, undefined, { fileCache: compiledFiles });
  return {
    first,
    again: compile(after, undefined, { fileCache: compiledFiles }),
    anew: compile(after),
  };
}

describe("a second compilation of files", () => {
  const faq = file("faq.yaml", "rules:", rule("hours", "At nine."), rule("refund", "In a week."));
  const human = file("human.yaml", "rules:", rule("human", "Wait a moment."));

  it("returns the same rules if nothing has changed", () => {
    const changed = file("human.yaml", "rules:", rule("human", "Somebody comes."));
    const { first, again, anew } = both([faq, human], [faq, changed]);

    expect(again.ruleset.byId.get("hours")).toBe(first.ruleset.byId.get("hours"));
    expect(again.ruleset.byId.get("human")).not.toBe(first.ruleset.byId.get("human"));
    expect(again.ruleset.revision).toBe(anew.ruleset.revision);
  });

  it.each([
    {
      why: "a list that it names is another",
      before: [withList("spam")],
      after: [withList("scam")],
    },
    {
      why: "a group of another file is gone",
      before: [
        file("a.yaml", "rules:", rule("a", "Yes.", "group: one, ")),
        file("b.yaml", "groups: {one: {match: first}}"),
      ],
      after: [
        file("a.yaml", "rules:", rule("a", "Yes.", "group: one, ")),
        file("b.yaml", "groups: {two: {match: first}}"),
      ],
    },
    {
      why: "a rule of another file has its id now",
      before: [file("a.yaml", "rules:", rule("a", "Yes."))],
      after: [
        file("0.yaml", "rules:", rule("a", "No.")),
        file("a.yaml", "rules:", rule("a", "Yes.")),
      ],
    },
    {
      why: "a file that answered as well is gone",
      before: [
        file("a.yaml", "rules:", rule("word", "Yes.")),
        file("b.yaml", "rules:", rule("word", "No.").replace("id: word", "id: other")),
      ],
      after: [file("b.yaml", "rules:", rule("word", "No.").replace("id: word", "id: other"))],
    },
    {
      why: "another file uses it now",
      before: [file("a.yaml", "rules:", rule("a", "Yes."))],
      after: [
        file("a.yaml", "rules:", rule("a", "Yes.")),
        {
          ...file("b.yaml", "use: [{file: ./a.yaml, as: x}]"),
          named: { "a.yaml": file("a.yaml", "rules:", rule("a", "Yes.")) },
        },
      ],
    },
  ])("returns what a first compilation returns: $why", ({ before, after }) => {
    const { again, anew } = both(before, after);

    expect(again.problems).toEqual(anew.problems);
    expect(again.ruleset.revision).toBe(anew.ruleset.revision);
    expect(again.ruleset.rules.map(({ id, revision }) => [id, revision])).toEqual(
      anew.ruleset.rules.map(({ id, revision }) => [id, revision]),
    );
  });

  it("returns the original rules once a change is undone", () => {
    const compiledFiles = new CompiledFiles();
    const first = compile([faq, human], undefined, { fileCache: compiledFiles });
    compile([faq], undefined, { fileCache: compiledFiles });
    const last = compile([faq, human], undefined, { fileCache: compiledFiles });

    expect(last.ruleset.revision).toBe(first.ruleset.revision);
  });
});

describe("a file whose rules run rules of other files", () => {
  const caller = file("caller.yaml", "rules:", running("greet", "bye"));
  const bye = (say: string) =>
    file("bye.yaml", "rules:", `  - {id: bye, actions: [{reply_dm: ${say}}]}`);
  const other = (say: string) => file("other.yaml", "rules:", rule("other", say));
  const revisionsOf = ({ ruleset }: Compiled, ...ids: readonly string[]) =>
    ids.map((id) => ruleset.byId.get(id)?.revision);

  it("is compiled again if a rule that it runs has changed", () => {
    const { first, again, anew } = both(
      [caller, bye("Bye."), other("No.")],
      [caller, bye("Adieu."), other("No.")],
    );

    expect(revisionsOf(again, "greet")).not.toEqual(revisionsOf(first, "greet"));
    expect(revisionsOf(again, "greet")).toEqual(revisionsOf(anew, "greet"));
    expect(JSON.stringify(again.ruleset.byId.get("greet")?.runs)).toContain("Adieu.");
    expect(again.ruleset.byId.get("other")).toBe(first.ruleset.byId.get("other"));
  });

  it("is not compiled again if an unrelated file has changed", () => {
    const { first, again } = both(
      [caller, bye("Bye."), other("No.")],
      [caller, bye("Bye."), other("Yes.")],
    );

    expect(first.ruleset.byId.get("greet")).toBeDefined();
    expect(again.ruleset.byId.get("greet")).toBe(first.ruleset.byId.get("greet"));
    expect(again.ruleset.byId.get("other")).not.toBe(first.ruleset.byId.get("other"));
  });

  const middle = file("middle.yaml", "rules:", "  - {id: middle, actions: [{run: bye}]}");
  const start = file("caller.yaml", "rules:", running("greet", "middle"));

  it.each([
    {
      why: "one that is run by the one it runs has changed",
      before: [start, middle, bye("Bye.")],
      after: [start, middle, bye("Adieu.")],
    },
    { why: "one that it runs is gone", before: [caller, bye("Bye.")], after: [caller] },
    { why: "one that it runs is there now", before: [caller], after: [caller, bye("Bye.")] },
    {
      why: "one that it runs is broken now",
      before: [caller, bye("Bye.")],
      after: [caller, bye("${{ nothing }}")],
    },
    {
      why: "an earlier file has one by that id, too",
      before: [caller, bye("Bye.")],
      after: [{ ...bye("Adieu."), path: "0.yaml" }, caller, bye("Bye.")],
    },
    {
      why: "what nobody can run has another name that is near",
      before: [file("caller.yaml", "rules:", running("greet", "bie")), bye("Bye.")],
      after: [file("caller.yaml", "rules:", running("greet", "bie")), other("No.")],
    },
    {
      why: "nobody runs it any more",
      before: [caller, bye("Bye.")],
      after: [file("caller.yaml", "rules:", rule("greet", "Hello.")), bye("Bye.")],
    },
    {
      why: "they run each other in a circle now",
      before: [start, middle, bye("Bye.")],
      after: [start, middle, file("bye.yaml", "rules:", "  - {id: bye, actions: [{run: middle}]}")],
    },
    {
      why: "a list of one that it runs is another",
      before: [caller, asking("spam")],
      after: [caller, asking("scam")],
    },
    {
      why: "another file uses the one that it runs now",
      before: [caller, bye("Bye.")],
      after: [
        caller,
        bye("Bye."),
        {
          ...file("use.yaml", "use: [{file: ./bye.yaml, as: x}]"),
          named: { "bye.yaml": bye("Bye.") },
        },
      ],
    },
  ])("is compiled as if for the first time: $why", ({ before, after }) => {
    const { first, again, anew } = both(before, after);

    expect(again.problems).toEqual(anew.problems);
    expect(revisionsOf(again, "greet")).toEqual(revisionsOf(anew, "greet"));
    expect([again.problems, ...revisionsOf(again, "greet")]).not.toEqual([
      first.problems,
      ...revisionsOf(first, "greet"),
    ]);
  });
});

function running(id: string, run: string): string {
  return `  - {id: ${id}, triggers: [dm.received], actions: [{run: ${run}}]}`;
}

/** Returns the file of a rule, called by others, that waits for a message with an entry of a word list. */
function asking(entry: string): SourceFile {
  const wait =
    "wait_for: {trigger: dm.received, conditions: [text: {in_list: ./words.txt}], within: 1h}";
  const bye = file("bye.yaml", "rules:", `  - {id: bye, actions: [{${wait}}]}`);
  return { ...bye, named: { "words.txt": { text: entry } } };
}

function withList(entry: string): SourceFile {
  const text =
    "version: 1\nrules:\n  - {id: a, triggers: [dm.received], conditions: [message.text: {in_list: ./words.txt}], actions: [like]}\n".replace(
      "[like]",
      "[{reply_dm: No.}]",
    );
  return { path: "a.yaml", text, named: { "words.txt": { text: entry } } };
}
