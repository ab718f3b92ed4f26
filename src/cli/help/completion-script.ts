import type { Command } from "commander";
import { lateWordsOf } from "./late-words.ts";

/** A command and its completions. */
interface CompletionNode {
  /** Command words from the program's name on: `answerback fault add`. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly options: readonly CompletionOption[];
  /** Possible values of the command's first argument. */
  readonly choices: readonly string[];
}

interface CompletionOption {
  readonly flag: string;
  /** Short form of the flag, such as `-t`. */
  readonly short?: string | undefined;
  readonly about: string;
  /** Possible values; empty if any value is allowed. */
  readonly values: readonly string[];
}

/** Returns the completion script for a tree of commands. */
export async function completionScript(
  root: Command,
  shell: "bash" | "zsh" | "fish",
): Promise<string> {
  const nodes = await nodesOf(root, root.name());
  switch (shell) {
    case "bash":
      return bash(nodes);
    case "zsh":
      return zsh(nodes);
    case "fish":
      return fish(nodes);
  }
}

async function nodesOf(command: Command, path: string): Promise<CompletionNode[]> {
  const help = command.createHelp();
  const own: CompletionNode = {
    path,
    commands: help
      .visibleCommands(command)
      .map((child) => ({ name: child.name(), about: child.description() })),
    options: help.visibleOptions(command).flatMap(({ long, short, description, argChoices }) => {
      const flag = long ?? short;
      if (flag === undefined) return [];
      return [{ flag, short, about: description, values: argChoices ?? [] }];
    }),
    choices: command.registeredArguments[0]?.argChoices ?? (await lateWordsOf(command)),
  };
  const below = await Promise.all(
    command.commands.map((child) => nodesOf(child, `${path} ${child.name()}`)),
  );
  return [own, ...below.flat()];
}

/** Words that may follow a command, besides options. */
function wordsOf({ commands, choices }: CompletionNode): string[] {
  return [...commands.map(({ name }) => name), ...choices];
}

/** Returns a `case` branch of the shell for each flag that has a list of values; short forms have the same branch. */
function valueCases(nodes: readonly CompletionNode[], set: (words: string) => string): string {
  return nodes
    .flatMap(({ path, options }) =>
      options
        .filter(({ values }) => values.length > 0)
        .map(({ flag, short, values }) => {
          const forms = [...new Set([flag, short ?? flag])];
          const lines = forms.map((form) => quoted(`${path} ${form}`)).join(" | ");
          return `    ${lines}) ${set(values.join(" "))} ;;\n`;
        }),
    )
    .join("");
}

/** Script that finds the innermost command on the line, skipping other words, and offers its completions. */
function bash(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map((node) => {
    const flags = node.options.map(({ flag }) => flag).join(" ");
    return `    ${quoted(node.path)}) words="${wordsOf(node).join(" ")}"; flags="${flags}" ;;\n`;
  });
  return `# bash completion of answerback: source <(answerback completion bash)
_answerback_words() {
  words=""; flags=""
  case "$1" in
${cases.join("")}    *) return 1 ;;
  esac
}
_answerback_values() {
  case "$1" in
${valueCases(nodes, (words) => `words="${words}"`)}    *) return 1 ;;
  esac
}
_answerback() {
  local path="answerback" words flags word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if _answerback_words "$path $word"; then path="$path $word"; fi
  done
  _answerback_words "$path"
  local current="\${COMP_WORDS[COMP_CWORD]}"
  if _answerback_values "$path \${COMP_WORDS[COMP_CWORD-1]}"; then :
  elif [[ $current == -* ]]; then words="$flags"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _answerback answerback
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map(({ path, commands, choices, options }) => {
    const words = [...commands, ...choices.map((name) => ({ name, about: "" }))];
    const shown = words.map(({ name, about }) => quoted(`${name}:${about.replaceAll(":", " ")}`));
    const flags = options.map(({ flag, about }) => quoted(`${flag}:${about.replaceAll(":", " ")}`));
    return `    ${quoted(path)}) words_=(${shown.join(" ")}); flags_=(${flags.join(" ")}) ;;\n`;
  });
  return `#compdef answerback
# zsh completion of answerback: source <(answerback completion zsh)
_answerback_words() {
  words_=(); flags_=()
  case "$1" in
${cases.join("")}    *) return 1 ;;
  esac
}
_answerback_values() {
  case "$1" in
${valueCases(nodes, (words) => `words_=(${words})`)}    *) return 1 ;;
  esac
}
_answerback() {
  local at_="answerback" word_
  local -a words_ flags_
  for word_ in "\${words[@]:1:$((CURRENT-2))}"; do
    if _answerback_words "$at_ $word_"; then at_="$at_ $word_"; fi
  done
  _answerback_words "$at_"
  if _answerback_values "$at_ \${words[CURRENT-1]}"; then _describe value words_
  elif [[ \${words[CURRENT]} == -* ]]; then _describe option flags_
  elif (( \${#words_} )); then _describe command words_
  else _files; fi
}
compdef _answerback answerback
`;
}

/** Script in which each completion has the path of its command as condition: `send` and `dm send` are different. */
function fish(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap(({ path, commands, choices, options }) => {
    const complete = `complete -c answerback -n ${quoted(`_answerback_at ${path}`)}`;
    return [
      ...commands.map(({ name, about }) => `${complete} -f -a ${quoted(name)} -d ${quoted(about)}`),
      ...choices.map((name) => `${complete} -f -a ${quoted(name)}`),
      ...options
        .filter(({ flag }) => flag.startsWith("--"))
        .map(({ flag, short, about, values }) => {
          const forms = short === undefined ? "" : ` -s ${short.slice(1)}`;
          const valueFlags = values.length === 0 ? "" : ` -x -a ${quoted(values.join(" "))}`;
          return `${complete} -l ${flag.slice(2)}${forms}${valueFlags} -d ${quoted(about)}`;
        }),
    ];
  });
  return `# fish completion of answerback: answerback completion fish | source
function _answerback_at
  set -l paths ${nodes.map(({ path }) => quoted(path)).join(" ")}
  set -l at answerback
  for word in (commandline -opc)
    if contains -- "$at $word" $paths
      set at "$at $word"
    end
  end
  test "$at" = "$argv"
end
${lines.join("\n")}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
