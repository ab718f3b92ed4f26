import type { Mistake } from "../problem.ts";

export function badStart(line: string): Mistake {
  const token = line.slice(0, tokenLength(line));
  if (token.startsWith("@")) {
    return {
      code: "unquoted-handle",
      message: 'a value cannot start with "@" in YAML',
      help: `quote it: "${token}"  (here: ${token.slice(1)} without @ also works)`,
    };
  }
  return {
    code: "unquoted-text",
    message: `a value cannot start with "${token.slice(0, 1)}" in YAML`,
    help: `quote it: ${JSON.stringify(line)}`,
  };
}

export function tokenLength(line: string): number {
  return /^[^\s,}\]]+/.exec(line)?.[0].length ?? 1;
}
