/**
 * Prints the figures of the structure of `src`, each with its bound: `npm run -s house [-- --json] [-- --list NAME]`.
 *
 * `--list` prints the places that a figure counts. Exits with 1 if a figure exceeds its bound. For a figure below its
 * bound, prints a line that asks for a lower bound.
 */
import { parseArgs } from "node:util";
import { BOUNDS } from "./bounds.ts";
import { FIGURE_NAMES, figuresOf } from "./figures.ts";
import { judge } from "./judge.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    list: { type: "string" },
  },
});
const { list } = values;
const listed = FIGURE_NAMES.find((name) => name === list);
if (list !== undefined && listed === undefined) {
  process.stderr.write(
    `no figure is named ${JSON.stringify(list)}; write one of ${FIGURE_NAMES.join(", ")}\n`,
  );
  process.exit(2);
}
const figures = await figuresOf(process.cwd());
if (listed !== undefined) {
  for (const place of figures[listed].places ?? []) process.stdout.write(`${place}\n`);
} else {
  const { exceeded, slack, table, advice } = judge(figures, BOUNDS);
  const now = Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
  const line = JSON.stringify({ ...now, bounds: BOUNDS, exceeded, slack });
  process.stdout.write(values.json ? `${line}\n` : table);
  for (const sentence of advice) process.stderr.write(`${sentence}\n`);
  if (exceeded.length > 0) process.exitCode = 1;
}
