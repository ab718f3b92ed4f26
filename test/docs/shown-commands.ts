/** A command in a code block of a page. */
export interface ShownCommand {
  /** Command line without a trailing comment, with `answerback` as the program's name. */
  readonly command: string;
  /** Output that the page shows; empty if it shows none. */
  readonly output: string;
}

/**
 * Reads the commands of a page, from its indented blocks and from fenced `text` blocks that begin with `$ `. In a block
 * with `$ `, other lines are output; in a block without, each line is a command.
 */
export function shownCommands(page: string): readonly ShownCommand[] {
  const indented = page.replaceAll(/^```text\n(\$ [\s\S]*?)^```$/gm, (_, block: string) =>
    block.replaceAll(/^(?=.)/gm, "    "),
  );
  const text = indented.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "");
  return [...text.matchAll(/(?:^|\n\n)((?: {4,}.*(?:\n+(?= {4})|\n|$))+)/g)].flatMap(
    ([, block = ""]) => {
      const lines = withoutIndent(block.trimEnd().split("\n"));
      return lines.some((line) => line.startsWith("$ "))
        ? answered(lines)
        : lines.flatMap((line) => (line === "" ? [] : [shown(line)]));
    },
  );
}

function withoutIndent(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.filter((line) => line !== "").map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent));
}

/** Returns the commands of a block with `$ `, each with the lines up to the next command. */
function answered(lines: readonly string[]): readonly ShownCommand[] {
  const starts = lines.flatMap((line, at) => (line.startsWith("$ ") ? [at] : []));
  return starts.map((start, at) => {
    const output = lines
      .slice(start + 1, starts[at + 1])
      .join("\n")
      .trimEnd();
    return shown((lines[start] ?? "").slice("$ ".length), output);
  });
}

function shown(line: string, output = ""): ShownCommand {
  const written = line.replace(/ +# .*$/, "");
  return {
    command: written.replace(/^(npm run -s answerback --|npx answerback)(?= )/, "answerback"),
    output,
  };
}

/** Pattern of text that differs between two runs of one command. */
const VARYING = new RegExp(
  [
    String.raw`\d{4}-\d\d-\d\dT[\d:]+Z`, // times
    String.raw`\d+ \+ \d+ = \d+`, // dice
    String.raw`\b\d+(?=\/(?:rule|bot):)`, // events of runs
    String.raw`\b(?:event|item|message to) \d+`,
    String.raw`\([\w-]+…?\)(?= finished)`, // hashes of rules
  ].join("|"),
  "g",
);

/** Whether a command printed what a page shows. `…` in the page stands for any text in a line. */
export function isAsShown(output: string, shownOutput: string): boolean {
  const parts = shownOutput.replaceAll(VARYING, "#").split("…");
  const pattern = parts
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(output.replaceAll(VARYING, "#").trimEnd());
}
