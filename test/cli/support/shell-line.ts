/** A command line from an example, parsed. */
export interface CommandLine {
  /** Arguments without the program's name. */
  readonly args: readonly string[];
  /** Text piped into stdin. */
  readonly input?: string;
  /** File that is redirected to stdin. */
  readonly inputFile?: string;
}

/**
 * Parses a shell line of the kind that the help shows: quotes, variables, redirections, and `echo` or `printf` before a
 * pipe.
 *
 * @throws {Error} for a variable without a value, or another program.
 */
export function commandsIn(line: string, values: Readonly<Record<string, string>>): CommandLine {
  const [first = [], second] = partsOf(line, values);
  const command = second ?? first;
  if (command[0] !== "answerback") throw new Error(`not a line of ours: ${line}`);
  const { args, inputFile } = withoutRedirections(command.slice(1));
  if (inputFile !== undefined) return { args, inputFile };
  if (second === undefined) return { args };
  const [program, text = ""] = first;
  if (program === "echo") return { args, input: `${text}\n` };
  if (program === "printf") return { args, input: text.replaceAll(String.raw`\n`, "\n") };
  throw new Error(`no program of the examples: ${line}`);
}

/** Removes redirections to files, because tests check the output that would be redirected. */
function withoutRedirections(words: readonly string[]) {
  const file = (sign: string): string | undefined =>
    words.includes(sign) ? words[words.indexOf(sign) + 1] : undefined;
  const args = words.filter(
    (word, at) => !/^[<>]$/.test(word) && !/^[<>]$/.test(words[at - 1] ?? ""),
  );
  return { args, inputFile: file("<") };
}

function partsOf(line: string, values: Readonly<Record<string, string>>): string[][] {
  const parts: string[][] = [[]];
  for (const [word] of line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    if (word === "|") parts.push([]);
    else parts.at(-1)?.push(unquoted(word, values));
  }
  return parts;
}

/** Removes the quotes of a word; text in single quotes is not expanded. */
function unquoted(word: string, values: Readonly<Record<string, string>>): string {
  return [...word.matchAll(/"([^"]*)"|'([^']*)'|[^"']+/g)]
    .map(([piece, double, single]) => single ?? filled(double ?? piece, values))
    .join("");
}

function filled(word: string, values: Readonly<Record<string, string>>): string {
  return word.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the test has no value for $${name}`);
    return value;
  });
}
