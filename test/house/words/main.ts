/**
 * Counts the places that break the rules of plain English: `npm run -s words [-- FOLDER …]`.
 *
 * `--list RULE` prints the places of a rule (openings, words, names, sentences), `--list all` those of all rules.
 * `--sample N [--seed S]` prints N texts, drawn at random by the seed, for a reader to rate.
 * `--shrink` writes the numbers of today into `bounds.ts` where they are lower. `--json` prints one line.
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { WORD_BOUNDS } from "./bounds.ts";
import { countsOf, shrunk } from "./counts.ts";
import { findingsIn } from "./judge-words.ts";
import { readTexts } from "./read-texts.ts";
import { drawTexts } from "./sample.ts";

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    shrink: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const isWanted = ({ path }: { readonly path: string }): boolean =>
  folders.length === 0 || folders.some((folder) => path.startsWith(folder));
const texts = (await readTexts(process.cwd())).filter(isWanted);
const findings = texts.flatMap(findingsIn);

if (values.sample !== undefined) {
  for (const { kind, path, line, text } of drawTexts(
    texts,
    Number(values.sample),
    Number(values.seed),
  )) {
    process.stdout.write(`${path}:${line} (${kind})\n  ${text.replaceAll("\n", "\n  ")}\n`);
  }
} else if (values.list !== undefined) {
  const listed = findings.filter(({ rule }) => values.list === rule || values.list === "all");
  const lines = listed.map(
    ({ rule, path, line, excerpt }) => `${path}:${line}: ${rule}: ${excerpt}\n`,
  );
  process.stdout.write(lines.join(""));
} else if (values.shrink) {
  const file = new URL("bounds.ts", import.meta.url);
  const before = await readFile(file, "utf8");
  const bounds = JSON.stringify(shrunk(WORD_BOUNDS, countsOf(findings)), null, 2);
  await writeFile(
    file,
    before.replace(/(?<==\s+)\{[\s\S]*\}(?=;)/, () => bounds),
  );
} else {
  const counts = countsOf(findings);
  process.stdout.write(
    values.json
      ? `${JSON.stringify(counts)}\n`
      : Object.entries(counts)
          .map(([folder, by]) => `${folder.padEnd(18)} ${JSON.stringify(by)}\n`)
          .join(""),
  );
}
