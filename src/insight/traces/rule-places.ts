import { valueAt } from "../../config/check-value.ts";
import type { Spot } from "../../config/problem.ts";
import { type Path, readYaml, type YamlDocument } from "../../config/yaml-document.ts";
import { idIn, type RuleFileSource, type CompiledRule } from "../../rules/ruleset.ts";

const documents = new WeakMap<RuleFileSource, YamlDocument>();

/** Parses the file of a rule. All rules of the file share the result. */
function documentOf(source: RuleFileSource): YamlDocument {
  let yaml = documents.get(source);
  if (yaml === undefined) documents.set(source, (yaml = readYaml(source.text, source.path)));
  return yaml;
}

/** Finds the parts of a rule in its file, by the labels that verdicts and runs use. */
export class RulePlaces {
  readonly #document: YamlDocument;
  readonly #path: Path;

  constructor({ source, id }: CompiledRule) {
    this.#document = documentOf(source);
    const rules = valueAt(this.#document.value, ["rules"]);
    const index = Array.isArray(rules)
      ? rules.findIndex((one: unknown) => {
          const written = valueAt(one, ["id"]);
          return typeof written === "string" && idIn(source, written) === id;
        })
      : -1;
    this.#path = index < 0 ? [] : ["rules", index];
  }

  /** First and last line of the rule, counted from 1. */
  get lines(): readonly [first: number, last: number] {
    return this.#document.linesOf(this.#path);
  }

  /** Returns the YAML value at a label; undefined if there is none. */
  valueAt(label: string): unknown {
    const { path, tail } = this.#resolve(label);
    return tail === "" ? valueAt(this.#document.value, path) : undefined;
  }

  /**
   * Returns the place of a label such as `conditions[0].any[1].message.text`. If the file does not contain it, returns
   * the place of the nearest part that contains it.
   */
  spotOf(label: string): Spot {
    const { path } = this.#resolve(label);
    const isKey = typeof path.at(-1) === "string";
    const part = isKey && path.length > this.#path.length ? "key" : "value";
    const { file, line, column, length, sourceLine } = this.#document.problemAt(
      path,
      NO_MISTAKE,
      part,
    );
    return { file, line, column, length, sourceLine };
  }

  /** Converts a label to a path of keys. Keys may contain dots, so the longest matching key is used. */
  #resolve(label: string): { readonly path: Path; readonly tail: string } {
    const path: PropertyKey[] = [...this.#path];
    let tail = label;
    for (;;) {
      const step = childNamed(valueAt(this.#document.value, path), tail);
      if (step === undefined) return { path, tail };
      path.push(step.key);
      tail = step.tail;
    }
  }
}

const NO_MISTAKE = { code: "", message: "" };

function childNamed(
  value: unknown,
  label: string,
): { readonly key: PropertyKey; readonly tail: string } | undefined {
  const index = /^\[(\d+)\](.*)$/s.exec(label);
  if (index !== null) {
    const [, number = "", tail = ""] = index;
    const isItem = Array.isArray(value) && Number(number) < value.length;
    return isItem ? { key: Number(number), tail } : undefined;
  }
  if (typeof value !== "object" || value === null || label === "") return undefined;
  const rest = label.startsWith(".") ? label.slice(1) : label;
  const keys = Object.keys(value).filter((key) => begins(rest, key));
  const [key] = keys.sort((a, b) => b.length - a.length);
  return key === undefined ? undefined : { key, tail: rest.slice(key.length) };
}

function begins(label: string, key: string): boolean {
  const after = label.charAt(key.length);
  return label.startsWith(key) && (after === "" || after === "." || after === "[");
}
