import { statePathFor } from "../../expression/state-names.ts";

/** Names of other tools for answers, steps and groups in expressions. */

/** Matches a variable such as `vars.name`, in which other tools store an answer. */
export const KEPT_ANSWER = /\bvars\.(\w+)\b/g;

/** Matches the id of a step outside of quotes, alone or after `steps.`: other tools mean the step's result by it. */
export const STEP_ALONE = /(?<![\w."'])(?:steps\.)?([A-Za-z_]\w*)(?![\w.("'])/g;

/** Returns the declared state that a name of another tool means. */
export function declaredName(
  name: string,
  declared: readonly string[],
  isKnown: (path: string) => boolean,
): string | undefined {
  if (declared.length === 0 || isKnown(name)) return undefined;
  const path = statePathFor(name, declared);
  return declared.includes(path) ? path : undefined;
}

/** Returns the help for a rule that reads an answer although its question has no id. */
export function answerHelp(rule: unknown): string | undefined {
  const written = JSON.stringify(rule) ?? "";
  const questions = written.match(/"ask":/g)?.length ?? 0;
  return questions === 1
    ? "add  id: answer  to the step of the question, and write  steps.answer.text"
    : undefined;
}
/** Matches names of other tools for the last answer, such as `user_input`. */
export const LAST_ANSWER =
  /^(?:answer|reply|response|user_answer|user_input|ask\.\w+|steps\.ask\.\w+)$/;

/** Names in the correction of a pattern with unnamed groups. */
const GROUP_NAMES = ["one", "two", "three", "four", "five", "six"];

/**
 * Returns the help for a rule that reads an unnamed group of a pattern.
 *
 * @param source Expression that reads the group, such as `captures[2]` or `match.group(2)`.
 */
export function groupHelp(rule: unknown, source: string): string | undefined {
  const [, pattern] = /"matches":"((?:\\.|[^"\\])*)"/.exec(JSON.stringify(rule) ?? "") ?? [];
  const read = pattern === undefined ? undefined : String(JSON.parse(`"${pattern}"`));
  const [, digits = "1"] = /\w+[^\d]*?(\d+)/.exec(source) ?? [];
  const group = GROUP_NAMES[Number(digits) - 1];
  if (read === undefined || group === undefined) return undefined;
  // a group inside a class or after a backslash is text, and a named group has its name already
  let count = 0;
  const named = read.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/gs, (token) => {
    const name = token === "(" ? GROUP_NAMES[count] : undefined;
    if (name === undefined || count >= Number(digits)) return token;
    count += 1;
    return `(?P<${name}>`;
  });
  if (count < Number(digits)) return undefined;
  const groups = count === 1 ? "group" : "groups";
  return `name the ${groups}, as  matches: '${named}', and read captures.${group}`;
}

/** Matches the result of a step as other tools write it, such as `steps.ID.output` or `steps.ID.outputs.answer`. */
export const STEP_RESULT =
  /\bsteps\.(\w+)\.(?:outputs?\.)?(?:text|answer|value|output|outputs|response|input)\b/g;
