import { keptName } from "../../expression/state-names.ts";

/** Names that other tools have for answers, steps and groups, as expressions read them. */

/** An answer that another tool keeps in a variable. */
export const KEPT_ANSWER = /\bvars\.(\w+)\b/g;

/** The id of a step by itself, or behind `steps`. */
export const STEP_ALONE = /(?<![\w.])(?:steps\.)?([A-Za-z_]\w*)(?![\w.(])/g;

/** The state that a rule file declares by the name that an expression has for it. */
export function declaredName(
  name: string,
  declared: readonly string[],
  isKnown: (path: string) => boolean,
): string | undefined {
  if (declared.length === 0 || isKnown(name)) return undefined;
  const path = keptName(name, declared);
  return declared.includes(path) ? path : undefined;
}

/** Returns the form to write where a rule reads an answer and the question has no id. */
export function answerHelp(rule: unknown): string | undefined {
  const written = JSON.stringify(rule) ?? "";
  const questions = written.match(/"ask":/g)?.length ?? 0;
  return questions === 1
    ? "add  id: answer  to the step of the question, and write  steps.answer.text"
    : undefined;
}
/** Names of other tools for the last answer. */
export const LAST_ANSWER =
  /^(?:answer|reply|response|user_answer|user_input|ask\.\w+|steps\.ask\.\w+)$/;

/** Returns the form to write where a rule reads a pattern's group that has no name. */
export function groupHelp(rule: unknown): string | undefined {
  const [, pattern] = /"matches":"((?:\\.|[^"\\])*)"/.exec(JSON.stringify(rule) ?? "") ?? [];
  const source = pattern === undefined ? undefined : String(JSON.parse(`"${pattern}"`));
  const named = source?.replace(/(?<!\\)\((?!\?)/, "(?P<one>");
  if (source === undefined || named === source) return undefined;
  return `name the group, as  matches: '${named}', and read captures.one`;
}

/** Words that other tools have after the id of a step. */
export const STEP_RESULT =
  /\bsteps\.(\w+)\.(?:outputs?\.)?(?:text|answer|value|output|outputs|response|input)\b/g;
