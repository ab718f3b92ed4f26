import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { run } from "../../support/command-line.ts";

const execute = promisify(execFile);

describe("completion", () => {
  test.each([
    { line: ["fau"], words: ["fault"], why: "a command of the program" },
    { line: ["fault", ""], words: ["add", "list", "clear", "help"], why: "what a group holds" },
    { line: ["completion", "z"], words: ["zsh"], why: "what an argument may be" },
    { line: ["run", "--log-level", "w"], words: ["warn"], why: "what a flag may be" },
    {
      line: ["fault", "add", "d"],
      words: ["drop", "duplicate", "delay", "disconnect"],
      why: "kinds",
    },
    { line: ["fault", "add", "drop", "--on", "r"], words: ["request"], why: "where faults are" },
    { line: ["init", "--template", "f"], words: ["faq"], why: "the templates" },
    { line: ["outbox", "list", "--status", "e"], words: ["expired"], why: "how items stand" },
    { line: ["events", "--type", "cl"], words: ["clock"], why: "what the sandbox tells" },
    { line: ["send", "@ana", "--f"], words: ["--follow"], why: "options, arguments passed over" },
    { line: ["explain", "contains_w"], words: ["contains_word"], why: "what can be explained" },
    { line: ["ads", "tags", "de"], words: ["delete"], why: "a group in a group" },
  ])("offers $words after $line in bash: $why", async ({ line, words }) => {
    const { out } = await run("/", "completion", "bash");
    const script = `${out}
      COMP_WORDS=(answerback "$@"); COMP_CWORD=$#; _answerback; echo "\${COMPREPLY[@]}"`;

    const { stdout } = await execute("bash", ["-c", script, "bash", ...line]);

    expect(stdout.trim().split(" ")).toEqual(words);
  });

  it.each([
    { shell: "zsh", holds: "compdef _answerback answerback" },
    {
      shell: "zsh",
      holds: "'answerback run --log-level') words_=(debug info warn error silent) ;;",
    },
    { shell: "fish", holds: "-l log-level -x -a 'debug info warn error silent'" },
    { shell: "fish", holds: "complete -c answerback -f -n 'not __fish_seen_subcommand_from" },
  ])("has a script for $shell", async ({ shell, holds }) => {
    const { out, code } = await run("/", "completion", shell);

    expect(code).toBe(0);
    expect(out).toContain(holds);
    expect(out).toContain("snapshot");
  });
});
