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
    { line: ["outbox", "--status", "e"], words: ["expired"], why: "a flag of the default command" },
    { line: ["outbox", "--per"], words: ["--person"], why: "flags of the default command" },
    { line: ["outbox", "s"], words: ["show", "settle"], why: "subcommands beside these flags" },
    { line: ["init", "-t", "f"], words: ["faq"], why: "the short form of a flag" },
    { line: ["dm", "send", "--fo"], words: [""], why: "a command with the name of another one" },
    { line: ["ads", "tags", "de"], words: ["delete"], why: "a group in a group" },
  ])("offers $words after $line in bash: $why", async ({ line, words }) => {
    const { out } = await run("/", "completion", "bash");
    const script = `${out}
      COMP_WORDS=(answerback "$@"); COMP_CWORD=$#; _answerback; echo "\${COMPREPLY[@]}"`;

    const { stdout } = await execute("bash", ["-c", script, "bash", ...line]);

    expect(stdout.trim().split(" ")).toEqual(words);
  });

  it.each([
    {
      shell: "zsh",
      holds: "'answerback init --template' | 'answerback init -t') words_=(echo faq",
    },
    { shell: "zsh", holds: "'answerback outbox --status') words_=(pending" },
    { shell: "zsh", holds: "compdef _answerback answerback" },
    {
      shell: "zsh",
      holds: "'answerback run --log-level') words_=(debug info warn error silent) ;;",
    },
    { shell: "fish", holds: "-l log-level -x -a 'debug info warn error silent'" },
    { shell: "fish", holds: "complete -c answerback -n '_answerback_at answerback' -f -a 'init'" },
    { shell: "fish", holds: "-n '_answerback_at answerback outbox' -l status -x -a 'pending" },
    {
      shell: "fish",
      holds: "-n '_answerback_at answerback init' -l template -s t -x -a 'echo faq",
    },
  ])("has a script for $shell", async ({ shell, holds }) => {
    const { out, code } = await run("/", "completion", shell);

    expect(code).toBe(0);
    expect(out).toContain(holds);
    expect(out).toContain("snapshot");
  });

  it("has conditions for fish by whole paths, since several commands end with the same word", async () => {
    const { out } = await run("/", "completion", "fish");
    const flagsAt = (path: string): readonly string[] =>
      out
        .split("\n")
        .filter((line) => line.startsWith(`complete -c answerback -n '_answerback_at ${path}' `))
        .flatMap((line) => / -l (\S+)/.exec(line)?.[1] ?? []);

    expect(flagsAt("answerback send")).toContain("follow");
    expect(flagsAt("answerback dm send")).not.toContain("follow");
    expect(out).toMatch(/set -l paths [^\n]*'answerback send' [^\n]*'answerback dm send'/);
    expect(out.match(/^complete /gm)).toHaveLength(out.match(/-n '_answerback_at /g)?.length ?? 0);
  });
});
