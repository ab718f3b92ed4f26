import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../compile-context.ts";
import { expressionPlaces } from "../../expression/template.ts";

/** Text that a step of a rule publishes. */
interface PublishedText {
  readonly path: Path;
  readonly text: string;
  /** Value of the step's verb: the text, or a map with the text. */
  readonly said: unknown;
}

/** Names of a rule's variables and steps that hold a person's text. */
export interface TakenIn {
  /** Variables that contain a person's text. */
  readonly variables: ReadonlySet<string>;
  /** Steps that wait for a person and return the answer. */
  readonly steps: ReadonlySet<string>;
}

/** Returns the texts that steps of a rule publish, including shared texts of the file. */
export function publishedTexts(
  { document }: CompileContext,
  rulePath: Path,
  verbs: readonly string[],
): readonly PublishedText[] {
  const texts: PublishedText[] = [];
  const look = (path: Path, value: unknown, said?: unknown): void => {
    if (typeof value === "string") {
      if (said !== undefined) texts.push({ path, text: value, said });
      return;
    }
    for (const [key, inner] of entriesOf(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      // the keys under `parallel` are names of branches, even if one of them equals a verb
      const isVerb = verbs.includes(key) && path.at(-1) !== "parallel" && isPublic(key, inner);
      const inside = NOT_SAID.has(key) ? undefined : (said ?? (isVerb ? inner : undefined));
      look(at, inner, inside);
      if (key === "say" && inside !== undefined && typeof inner === "string") {
        look(["texts", inner], valueAt(document.value, ["texts", inner]), inside);
      }
    }
  };
  for (const block of ["actions", "on_error"]) {
    look([...rulePath, block], valueAt(document.value, [...rulePath, block]));
  }
  return texts;
}

/** Keys of a question that contain steps or conditions instead of text. */
const NOT_SAID: ReadonlySet<string> = new Set(["on_timeout", "on_invalid", "expect"]);

/** Returns whether a verb publishes: a question is a private message unless it has `in: public`. */
function isPublic(verb: string, said: unknown): boolean {
  return verb !== "ask" || valueAt(said, ["in"]) === "public";
}

/**
 * Finds the variables and steps of a rule that hold a person's text.
 *
 * @param name Matches an expression that reads such text, see {@link namesIn}.
 * @param passedVariables Variables that hold such text because the calling rule passes it.
 */
export function takenIn(rule: unknown, name: RegExp, passedVariables: readonly string[]): TakenIn {
  const variables = new Set(passedVariables);
  const steps = new Set<string>();
  const taintedNames: TakenIn = { variables, steps };
  for (const [variable, value] of entriesOf(valueAt(rule, ["variables"]))) {
    if (typeof value === "string" && namesIn(value, name, taintedNames).length > 0) {
      variables.add(variable);
    }
  }
  const look = (value: unknown): void => {
    const id = valueAt(value, ["id"]);
    const listens = valueAt(value, ["ask"]) ?? valueAt(value, ["wait_for"]);
    if (typeof id === "string" && listens !== undefined) steps.add(id);
    for (const [, inner] of entriesOf(value)) look(inner);
  };
  look(valueAt(rule, ["actions"]));
  return taintedNames;
}

/** A name in a text, such as `vars.city`, and its position. */
interface NamePlace {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;

/**
 * Finds, in the expressions `${{ … }}` of a text, the names whose values are texts of a person.
 *
 * @param name Matches such names. A match with the group `variable` or `step` counts only if this variable or step is
 * in the third argument.
 */
export function namesIn(
  text: string,
  name: RegExp,
  { variables, steps }: TakenIn,
): readonly NamePlace[] {
  const places: NamePlace[] = [];
  for (const { open, end } of expressionPlaces(text)) {
    const bare = text.slice(open, end).replaceAll(QUOTED, (quoted) => " ".repeat(quoted.length));
    for (const match of bare.matchAll(name)) {
      const { variable, step } = match.groups ?? {};
      if (variable !== undefined && !variables.has(variable)) continue;
      if (step !== undefined && !steps.has(step)) continue;
      const [matchedName] = match;
      places.push({
        name: matchedName,
        offset: open + match.index,
        length: matchedName.length,
      });
    }
  }
  return places;
}

/** Returns the names of the values passed to a rule whose expressions contain, at any depth, a match of `name`. */
export function namesOfGiven(
  passedValues: Readonly<Record<string, unknown>>,
  name: RegExp,
  taintedNames: TakenIn,
): readonly string[] {
  const holds = (value: unknown): boolean =>
    typeof value === "string"
      ? namesIn(value, name, taintedNames).length > 0
      : entriesOf(value).some(([, inner]) => holds(inner));
  return Object.keys(passedValues).filter((one) => holds(passedValues[one]));
}

/** Keys and values of a map or list; empty for any other value. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
