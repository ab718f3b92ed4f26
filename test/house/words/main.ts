/**
 * Lists the places that break the rules of plain English: `npm run -s words [-- FOLDER …]`.
 *
 * `--list RULE` prints only the places of one rule: openings, words, names or sentences.
 * `--sample N [--seed S]` prints N texts, drawn at random by the seed, for a reader to rate. `--json` prints the number
 * of places by rule. Exits with 1 if a place breaks a rule.
 */
import { parseArgs } from "node:util";
import { findingsIn, type WordRule } from "./judge-words.ts";
import { pathsOfTexts, readTexts } from "./read-texts.ts";
import { drawTexts } from "./sample.ts";

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: "string" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const isWanted = (path: string): boolean =>
  folders.length === 0 || folders.some((folder) => path.startsWith(folder));
const texts = await readTexts(
  process.cwd(),
  (await pathsOfTexts(process.cwd())).filter((path) => isWanted(path)),
);

if (values.sample !== undefined) {
  for (const { kind, path, line, text } of drawTexts(
    texts,
    Number(values.sample),
    Number(values.seed),
  )) {
    process.stdout.write(`${path}:${line} (${kind})\n  ${text.replaceAll("\n", "\n  ")}\n`);
  }
} else {
  const findings = texts
    .flatMap(findingsIn)
    .filter(({ rule }) => [undefined, "all", rule].includes(values.list));
  if (values.json) {
    const counts: Partial<Record<WordRule, number>> = {};
    for (const { rule } of findings) counts[rule] = (counts[rule] ?? 0) + 1;
    process.stdout.write(`${JSON.stringify(counts)}\n`);
  } else {
    for (const { rule, path, line, excerpt } of findings) {
      process.stdout.write(`${path}:${line}: ${rule}: ${excerpt}\n`);
    }
  }
  if (findings.length > 0) process.exitCode = 1;
}
