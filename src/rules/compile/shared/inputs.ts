import { asText } from "../../../text/as-text.ts";
import { checkValue, valueAt } from "../../../config/check-value.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Part, Path, YamlDocument } from "../../../config/yaml-document.ts";
import { DURATION } from "../../../system/duration.ts";
import { ownMember } from "../../../system/own-member.ts";
import { inputMap } from "../../file-schema/shared-keys.ts";
import type { InputValue, InputValues } from "../../rule-file-source.ts";
import { compilePattern } from "../../expression/patterns/pattern.ts";

/** Reports a mistake in an input's value, at the default or at the `use` that passes the value. */
export type TellInput = (name: string, mistake: Mistake, part?: Part) => void;

/** Inputs that a `use` passes to a file. */
export interface GivenInputs {
  /** Values of the inputs, as written in the `use`; `undefined` for a file that no other file uses. */
  readonly values: InputValues | undefined;
  readonly tell: TellInput;
  /** Returns the source text of a value. */
  readonly sourceOf?: (name: string) => string | undefined;
}

export interface ResolvedInputs {
  readonly inputs: InputValues;
  /** Whether each input has a value. */
  readonly isComplete: boolean;
  readonly problems: readonly Problem[];
}

/**
 * Returns the valid inputs of a rule file. Mistakes in passed values go to `tell`, all other mistakes to `problems`.
 */
export function resolveInputs(
  document: YamlDocument,
  { values, tell, sourceOf }: GivenInputs,
): ResolvedInputs {
  const defined = valueAt(document.value, ["inputs"]);
  const isMap = typeof defined === "object" && defined !== null && !Array.isArray(defined);
  const names = isMap ? Object.keys(defined) : [];
  const problems: Problem[] = [];
  const inputs: Record<string, InputValue> = {};
  for (const name of names) {
    const at = ["inputs", name];
    const { value: input, problems: wrong } = checkValue(inputMap, document, { at });
    problems.push(...wrong);
    if (!NAME.test(name)) problems.push(document.problemAt(at, NOT_A_NAME, "key"));
    if (input === undefined || wrong.length > 0) continue;
    const passedValue = values && ownMember(values, name);
    const tellHere: TellInput =
      passedValue === undefined
        ? (_, mistake, part) => problems.push(document.problemAt([...at, "default"], mistake, part))
        : tell;
    const value = passedValue ?? input.default;
    if (value !== undefined) {
      const source =
        passedValue === undefined ? document.sourceAt([...at, "default"]) : sourceOf?.(name);
      // a text keeps its zeros: `01234`
      const isText = input.type === "string" && typeof value === "number";
      const read = readInput(input.type, isText ? (source ?? value) : value);
      if ("mistake" in read) tellHere(name, read.mistake, read.part);
      else inputs[name] = read.value;
    } else if (input.required !== true) {
      problems.push(document.problemAt(at, NO_DEFAULT));
    } else if (values === undefined) {
      problems.push(document.problemAt(at, notUsed(document.file, name), "key"));
    } else {
      tell(name, missing(name, document.file));
    }
  }
  return { inputs, isComplete: names.every((name) => Object.hasOwn(inputs, name)), problems };
}

/** Matches names of inputs that an expression can read as `inputs.NAME`. */
const NAME = /^[A-Za-z_]\w*$/;
const NOT_A_NAME: Mistake = {
  code: "invalid-value",
  message: "an input's name has letters from a to z, digits and _",
  help: "write a name that is valid in the expression  inputs.NAME",
};
const NO_DEFAULT: Mistake = {
  code: "input-without-value",
  message: "this input has no default, and is not required",
  help: "add  default: …  or  required: true",
};

function notUsed(file: string, name: string): Mistake {
  return {
    code: "input-missing",
    severity: "warning",
    message: `the input "${name}" has no value: no other file uses this file, so its rules don't run`,
    help: `write in the other file:  use: [{file: ${file}, as: NAME, with: {${name}: …}}]`,
  };
}

function missing(name: string, file: string): Mistake {
  return {
    code: "input-missing",
    message: `${file} needs the input "${name}"`,
    help: `add  with: {${name}: …}`,
  };
}

type Read =
  | { readonly value: InputValue }
  | { readonly mistake: Mistake; readonly part?: Exclude<Part, string> };

function readInput(type: keyof typeof READERS, value: InputValue): Read {
  if (JSON.stringify(value).includes("${{")) return { mistake: NOT_CONSTANT };
  return READERS[type](value);
}

const NOT_CONSTANT: Mistake = {
  code: "no-expression-here",
  message: "an input is a constant: expressions are not supported here",
  help: 'write the value itself, or an input of this file:  "${{ inputs.NAME }}"',
};

const aText = (value: InputValue): Read =>
  Array.isArray(value) ? wrong("a text") : { value: asText(value) };

function wrong(what: string): Read {
  const help = `write ${what}`;
  return { mistake: { code: "input-type", message: `this input is ${what}`, help } };
}

const READERS = {
  string: aText,
  number: (value: InputValue): Read =>
    typeof value === "number" ? { value } : wrong("a number, without quotes"),
  boolean: (value: InputValue): Read =>
    typeof value === "boolean" ? { value } : wrong("true or false"),
  list: (value: InputValue): Read => (Array.isArray(value) ? { value } : wrong("a list of texts")),
  duration: (value: InputValue): Read =>
    DURATION.test(asText(value)) ? { value } : wrong("a duration, as 10m, 24h or 180d"),
  regex(value: InputValue): Read {
    if (typeof value !== "string") return wrong("a pattern");
    const pattern = compilePattern(value, false);
    if (!("mistake" in pattern)) return { value };
    const { mistake, offset, length } = pattern;
    return { mistake, part: { text: value, offset, length } };
  },
};

const ONLY_INPUT = /^\s*\$\{\{\s*inputs\.(\w+)\s*\}\}\s*$/;

/** Replaces each value that is only `${{ inputs.NAME }}` by the value of the input. */
export function putInputs(document: YamlDocument, inputs: InputValues): YamlDocument {
  if (Object.keys(inputs).length === 0) return document;
  const places = new Map<string, InputValue>();
  const put = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") {
      const name = ONLY_INPUT.exec(value)?.[1];
      const input = name === undefined ? undefined : ownMember(inputs, name);
      if (input === undefined) return value;
      places.set(keyOf(path), input);
      return input;
    }
    if (Array.isArray(value)) return value.map((one, index) => put(one, [...path, index]));
    if (typeof value !== "object" || value === null) return value;
    const copy: Record<string, unknown> = Object.create(Object.getPrototypeOf(value));
    for (const [key, inner] of Object.entries(value)) {
      copy[key] = path.length === 0 && key === "inputs" ? inner : put(inner, [...path, key]);
    }
    return copy;
  };
  const value = put(document.value, []);
  return {
    ...document,
    value,
    // an inserted value is not written here, so its problems mark the whole expression `${{ inputs.NAME }}`
    problemAt: (path, mistake, part) =>
      document.problemAt(path, mistake, places.has(keyOf(path)) && part !== "key" ? "value" : part),
    sourceAt(path) {
      const input = places.get(keyOf(path));
      return input === undefined ? document.sourceAt(path) : String(input);
    },
  };
}

function keyOf(path: Path): string {
  return path.map(String).join("\n");
}
