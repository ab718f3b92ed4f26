import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";

const HERE = new URL("./", import.meta.url);
const FOLDER = new URL("corpus/", HERE);

/** A change that a help text of `check` advises: the help contains the text `by`, which replaces `replace`. */
const fix = z.strictObject({
  code: z.string().describe("The problem whose help is followed."),
  replace: z.string().optional().describe("Gives way to `by`; what the caret marks unless given."),
  before: z.string().optional().describe("`by` becomes a line above this text."),
  after: z.string().optional().describe("`by` becomes a line below that of this text."),
  by: z.string().describe('Stands in the help as it is; "" where the help says to remove it.'),
});
export type Fix = z.infer<typeof fix>;

/** Entries of the list `tests` in a rule test file, without the key `name`. */
const tests = z.array(z.record(z.string(), z.unknown())).min(1);

const meaning = z.strictObject({
  right: z
    .string()
    .describe("The rule file that does what was meant; the list of rules is enough."),
  tests,
});

const attempt = z.strictObject({
  name: z.string(),
  wrong: z.string().describe("A rule file as a newcomer writes it; the list of rules is enough."),
  means: z.union([z.string(), meaning]).describe("A name is one of meanings.yaml."),
  fixes: z.array(fix).default([]),
});

const corpusFile = z.strictObject({
  tool: z.string().describe("The tool whose habits the attempts have."),
  attempts: z.array(attempt),
});

/** A rule file as written by an author who knows another tool, and its correct form. */
export interface Attempt {
  readonly tool: string;
  /** Name of the attempt, such as `stackstorm: a criterion of a text`. */
  readonly name: string;
  readonly wrong: string;
  readonly right: string;
  readonly fixes: readonly Fix[];
  /** Entries of the list `tests` in a rule test file, which check the intended meaning. */
  readonly tests: readonly Readonly<Record<string, unknown>>[];
}

/** Reads all attempts of the corpus. */
export function readCorpus(): readonly Attempt[] {
  const meanings = z.record(z.string(), meaning).parse(read(new URL("meanings.yaml", HERE)));
  return readdirSync(FOLDER)
    .toSorted()
    .flatMap((file) => {
      const { tool, attempts } = corpusFile.parse(read(new URL(file, FOLDER)));
      return attempts.map(({ name, wrong, means, fixes }): Attempt => {
        const meant = typeof means === "string" ? meanings[means] : means;
        if (meant === undefined) throw new Error(`${file}: "${name}" has an unknown meaning`);
        return {
          tool,
          name: `${tool}: ${name}`,
          wrong: wholeFile(wrong),
          right: wholeFile(meant.right),
          fixes,
          tests: meant.tests.map((one, index) => ({ name: `part ${index + 1}`, ...one })),
        };
      });
    });
}

function read(file: URL): unknown {
  return parse(readFileSync(file, "utf8"));
}

/** Adds the first lines of a rule file (`version: 1`, `rules:`) to a list of rules. */
function wholeFile(text: string): string {
  if (!text.startsWith("- ")) return text;
  return `version: 1\nrules:\n${text.replaceAll(/^(?=.)/gm, "  ")}`;
}
