import { fixOf } from "./fix-problems.ts";
import type { Problem } from "./problem.ts";
import { shell } from "../text/shell.ts";

/** Descriptions of problem codes, by code: what the problem is, and why it matters. */
export type SarifCodes = Readonly<Record<string, { readonly about: string; readonly why: string }>>;

/** Converts problems to SARIF 2.1.0, for code scanners and editors. */
export function toSarif(problems: readonly Problem[], codes: SarifCodes, version: string): unknown {
  const used = [...new Set(problems.map(({ code }) => code))].sort();
  const rules = used.map((code) => ({
    id: code,
    shortDescription: { text: codes[code]?.about ?? code },
    fullDescription: { text: codes[code]?.why ?? code },
    help: { text: shell`answerback explain ${code}` },
  }));
  const driver = { name: "answerback", semanticVersion: version, rules };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results: problems.map(toResult) }],
  };
}

function toResult(problem: Problem): unknown {
  const { file, line, column, length, severity, code, message, help, sourceLine } = problem;
  const parts = file.replaceAll("\\", "/").split("/");
  const artifactLocation = { uri: parts.map(encodeURIComponent).join("/") };
  const region = {
    startLine: line,
    startColumn: column,
    endColumn: column + length,
    ...(sourceLine === undefined ? {} : { snippet: { text: sourceLine } }),
  };
  const fix = fixOf(problem);
  const deletedRegion = fix && {
    startLine: line,
    startColumn: fix.column,
    endColumn: fix.column + fix.length,
  };
  const replacements = fix && [{ deletedRegion, insertedContent: { text: fix.text } }];
  return {
    ruleId: code,
    level: severity,
    message: { text: help === undefined ? message : `${message}\nhelp: ${help}` },
    locations: [{ physicalLocation: { artifactLocation, region } }],
    ...(replacements ? { fixes: [{ artifactChanges: [{ artifactLocation, replacements }] }] } : {}),
  };
}

/** Formats a problem as an annotation of GitHub Actions, on one line. */
export function toGithub(problem: Problem): string {
  const { file, line, column, length, severity, code, message, help } = problem;
  const properties = Object.entries({
    file,
    line,
    col: column,
    endColumn: column + length,
    title: code,
  }).map(
    ([key, value]) =>
      `${key}=${escaped(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  );
  const messageLines = help === undefined ? [message] : [message, `help: ${help}`];
  const text = [...messageLines, `more: ${shell`answerback explain ${code}`}`].join("\n");
  return `::${severity} ${properties.join(",")}::${escaped(text)}`;
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
