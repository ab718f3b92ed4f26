import { mostTelling, type Problem } from "../../config/problem.ts";
import { toGithub, toSarif } from "../../config/problem-formats.ts";
import { renderProblems } from "../../config/render-problems.ts";
import { problemTopics } from "../../insight/reference/problems.ts";
import type { Io } from "../io.ts";
import { packageVersion } from "../../system/package-version.ts";

/** Output format of `check`. */
export type Format = "text" | "json" | "sarif" | "github";

/** Prints the problems as data. SARIF is printed even if there are none. */
export function printProblems(io: Io, problems: readonly Problem[], format: Format): void {
  if (format === "sarif") {
    const codes = Object.fromEntries(
      problemTopics().map(({ name, about, why = about }) => [name, { about, why }]),
    );
    io.out(`${JSON.stringify(toSarif(problems, codes, packageVersion()), null, 2)}\n`);
  } else if (format === "json") {
    for (const problem of problems) io.out(`${JSON.stringify(problem)}\n`);
  } else if (format === "github") {
    for (const problem of mostTelling(problems)) io.out(`${toGithub(problem)}\n`);
  } else if (problems.length > 0) {
    const { red, yellow, dim } = io.dataColors;
    io.out(`${renderProblems(problems, { error: red, warning: yellow, faint: dim })}\n`);
  }
}
