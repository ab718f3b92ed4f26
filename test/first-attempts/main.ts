/**
 * Follows the advice of `check` for each first attempt of the corpus: `npm run -s first-attempts -- [TEXT] [--json]`.
 * TEXT picks attempts by name and prints the output of `check`. Exits with 1 if the goal (`isReached`) is missed.
 */
import { parseArgs } from "node:util";
import { renderProblems } from "../../src/config/render-problems.ts";
import { readCorpus } from "./corpus.ts";
import { followAll, type Outcome } from "./follow-help.ts";
import { figuresOf, isReached } from "./figures.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false } },
});
const [filter = ""] = positionals;
const attempts = readCorpus().filter(({ name }) => name.includes(filter));
const outcomes = await followAll(attempts);
const figures = figuresOf(outcomes);
if (values.json) process.stdout.write(`${JSON.stringify(figures)}\n`);
else {
  const printed = filter === "" ? outcomes.filter((one) => !isFine(one)) : outcomes;
  for (const outcome of printed) process.stdout.write(`${courseOf(outcome)}\n`);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}
if (!isReached(figures) || outcomes.some(({ faults }) => faults.length > 0)) process.exitCode = 1;

function isFine({ rounds, isMeant, faults }: Outcome): boolean {
  return rounds !== undefined && rounds <= 1 && isMeant && faults.length === 0;
}

function courseOf({ name, rounds, isMeant, faults, course }: Outcome): string {
  const said = course.map(({ text, problems }, index) => {
    const shown = problems.length === 0 ? "clean" : renderProblems(problems);
    return `--- round ${index}\n${text}\n${shown}\n`;
  });
  const head = `=== ${name}: ${rounds ?? "no end"}${isMeant ? "" : ", not as meant"}`;
  return [head, ...said, ...faults.map((fault) => `!!! ${fault}`)].join("\n");
}
