import { OVERVIEW } from "./overview.ts";

const DESCRIPTION =
  "Chat bots from YAML rules and TypeScript, and a sandbox of the platform on this machine.";

/** Columns of the front page if the output is not a terminal. */
const PAGE_WIDTH = 80;
/** Minimum width for wrapping; narrower texts are hard to read and stay unwrapped. */
const MIN_WRAP_WIDTH = 40;

/** Returns the first part of `answerback --help`: all commands, wrapped to the terminal. */
export function frontPage(width = PAGE_WIDTH): string {
  const groups = groupsOf(OVERVIEW);
  const terms = groups.flatMap(({ rows }) => rows.map(([term]) => term.length));
  const indent = Math.max(...terms) + 4;
  const shown = groups.map(({ heading, rows }) => {
    const lines = rows.map(([term, about]) => {
      const text = wrapped(about, width - indent).join(`\n${" ".repeat(indent)}`);
      return `  ${term.padEnd(indent - 2)}${text}\n`;
    });
    return `${heading}\n${lines.join("")}`;
  });
  return [
    "Usage: answerback [options] [command]\n",
    `${wrapped(DESCRIPTION, width).join("\n")}\n`,
    ...shown,
  ].join("\n");
}

interface Group {
  readonly heading: string;
  /** Commands or options, each with its description. */
  readonly rows: (readonly [term: string, about: string])[];
}

function groupsOf(overview: string): readonly Group[] {
  const groups: Group[] = [];
  for (const line of overview.trim().split("\n")) {
    const [, term, about] = /^ {2}(.+?) {2,}(.+)$/.exec(line) ?? [];
    if (term === undefined || about === undefined) groups.push({ heading: line, rows: [] });
    else groups.at(-1)?.rows.push([term, about]);
  }
  return groups;
}

function wrapped(text: string, width: number): readonly string[] {
  if (width < MIN_WRAP_WIDTH) return [text];
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** End of the front page: examples, output and exit codes. */
export const FRONT_PAGE_END = `
Examples:
  answerback dev                                   run a sandbox and the bot on this machine
  answerback send @ana "what are your hours?"      send the bot a message as a sandbox user
  answerback doctor                                find out what is wrong and how to fix it

Data goes to stdout, messages to stderr. With --json, data and errors are JSON, one value per line.

Exit codes: 0 success, 1 failure, 2 usage error, 3 finished and found problems, 4 not authorized,
5 not running or unreachable, 70 the bot ended by itself: start it again, 74 its store is damaged, gone
or of a newer version: starting again does not help, 130 interrupted.`;
