import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { glob } from "tinyglobby";
import { expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { examplesOf } from "../../src/cli/help/examples.ts";
import { everyCommand, programOf } from "../../src/cli/program.ts";
import { isAsShown, shownCommands } from "./shown-commands.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = await programOf(processIo(), "0.0.0-test");

/** Returns the reason why a command line is invalid; undefined if it is valid. */
function mistakeIn(line: string): string | undefined {
  let command: Command = PROGRAM;
  let hasFlag = false;
  for (const word of line.split(/\s+/).slice(1)) {
    if (/^[^\w@"'.<[{-]/.test(word)) return undefined;
    const next = command.commands.find(
      (one) => one.name() === word || one.aliases().includes(word),
    );
    if (next !== undefined) {
      command = next;
    } else if (/^--?[a-z]/i.test(word)) {
      hasFlag = true;
      const flag = word.replace(/=.*$/, "");
      // A command such as `accounts` has subcommands, and runs `list` without one.
      const list = command.commands.find((one) => one.name() === "list");
      const isDefined = [command, PROGRAM, list]
        .flatMap((one) => one?.options ?? [])
        .some(({ short, long }) => flag === short || flag === long);
      if (!isDefined && flag !== "--help") return `${command.name()} has no ${flag}`;
    } else if (!hasFlag && command.commands.length > 0 && /^[a-z][a-z-]*$/.test(word)) {
      return `${command.name()} has no command ${word}`;
    }
  }
  return undefined;
}

it("every command that a page names exists, with its flags", async () => {
  const pages = await glob(["*.md", "{config,bots,examples}/**/*.md"], {
    cwd: ROOT,
  });
  let count = 0;
  const mistakes: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(ROOT, page), "utf8");
    const inText = [...text.matchAll(/`(?:npx )?(answerback [^`]+)`/g)].map(
      ([, line = ""]) => line,
    );
    const inBlocks = shownCommands(text).map(({ command }) => command);
    for (const line of [...inText, ...inBlocks.filter((one) => one.startsWith("answerback "))]) {
      count += 1;
      const mistake = mistakeIn(line);
      if (mistake !== undefined) mistakes.push(`${page}: ${line}: ${mistake}`);
    }
  }

  expect(count).toBeGreaterThan(150);
  expect(mistakes).toEqual([]);
});

/** Returns the reason why commands of a page do not work one after the other in zsh and bash; undefined if they do. */
function shellMistakeIn(commands: readonly string[]): string | undefined {
  const set = new Set<string>();
  for (const command of commands) {
    const unquoted = command.replaceAll(/'[^']*'/g, "''");
    if (unquoted.replaceAll(/"[^"]*"/g, '""').includes("?")) return `${command}: ? needs quotes`;
    const used = [...unquoted.matchAll(/\$([A-Z_]+)/g)].map(([, name = ""]) => name);
    const missing = used.find((name) => !set.has(name));
    if (missing !== undefined) return `${command}: $${missing} is not exported`;
    const [, exports = ""] = /^export (.*)$/.exec(command) ?? [];
    for (const [, name = ""] of exports.matchAll(/(\w+)=/g)) set.add(name);
  }
  return undefined;
}

it("the commands of a page work one after the other in zsh and bash", async () => {
  const pages = await glob(["*.md", "{config,bots,examples}/**/*.md"], { cwd: ROOT });
  const mistakes: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(ROOT, page), "utf8");
    const mistake = shellMistakeIn(shownCommands(text).map(({ command }) => command));
    if (mistake !== undefined) mistakes.push(`${page}: ${mistake}`);
  }
  const examples = everyCommand(PROGRAM).flatMap(examplesOf);

  expect(mistakes).toEqual([]);
  expect(examples.length).toBeGreaterThan(50);
  expect(examples.filter((one) => shellMistakeIn([one])?.endsWith("quotes"))).toEqual([]);
});

it.each([
  { commands: ["answerback move --to postgres://a?b=c"], mistake: /needs quotes$/ },
  { commands: ["answerback move --to 'postgres://a?b=c'"], mistake: /^undefined$/ },
  { commands: ["A=1 psql", "psql -v $A"], mistake: /\$A is not exported$/ },
  { commands: ["export A=1 B=2", 'psql -v "$A" $B'], mistake: /^undefined$/ },
])("commands that a shell changes are a mistake: $commands", ({ commands, mistake }) => {
  expect(String(shellMistakeIn(commands))).toMatch(mistake);
});

it.each([
  { line: "answerback serve", mistake: "answerback has no command serve" },
  { line: "answerback outbox lits", mistake: "outbox has no command lits" },
  { line: "answerback send @ana hi --folow", mistake: "send has no --folow" },
  { line: "answerback replay --from -2h", mistake: undefined },
])("a command that does not exist is a mistake: $line", ({ line, mistake }) => {
  expect(mistakeIn(line)).toBe(mistake);
});

it.each([
  {
    why: "numbers of events differ",
    shown: "see 12/bot:dice",
    printed: "see 7/bot:dice\n",
    same: true,
  },
  { why: "… is any text", shown: "at …, then", printed: "at nine, then", same: true },
  { why: "other numbers count", shown: "open 9:00", printed: "open 8:00", same: false },
  { why: "a line more counts", shown: "one", printed: "one\ntwo\n", same: false },
])("output is compared as a reader does: $why", ({ shown, printed, same }) => {
  expect(isAsShown(printed, shown)).toBe(same);
});
