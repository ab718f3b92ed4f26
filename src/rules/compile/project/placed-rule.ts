import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { CompiledRule } from "../../ruleset.ts";
import { documentOf } from "../shared/uses.ts";

/** Compiled rule with the written parts that are compared with other rules. */
export interface WrittenRule {
  readonly rule: CompiledRule;
  /** Path of the rule in its file. */
  readonly path: Path;
  /** Conditions as written in the file. */
  readonly conditions: readonly unknown[];
  /** Triggers as written in the file. */
  readonly triggers: readonly unknown[];
  /** Variables as written in the file. */
  readonly variables: unknown;
}

/** A rule of the project that can report problems at its lines. */
export class PlacedRule implements WrittenRule {
  readonly rule: CompiledRule;
  readonly path: Path;
  readonly conditions: readonly unknown[];
  readonly triggers: readonly unknown[];
  readonly variables: unknown;
  readonly #documents: Documents;

  constructor(written: WrittenRule, documents: Documents) {
    this.rule = written.rule;
    this.path = written.path;
    this.conditions = written.conditions;
    this.triggers = written.triggers;
    this.variables = written.variables;
    this.#documents = documents;
  }

  /** Creates the problem `mistake` at a place of the rule. */
  problemAt(path: Path, mistake: Mistake): Problem {
    return this.#documents.of(this.rule).problemAt([...this.path, ...path], mistake);
  }
}

/**
 * Rule files, parsed again to find the lines of problems. Most files have no problem, so compiling stores no documents.
 */
export class Documents {
  readonly #read = new Map<CompiledRule["source"], YamlDocument>();

  of({ source }: Pick<CompiledRule, "source">): YamlDocument {
    let document = this.#read.get(source);
    if (!document) this.#read.set(source, (document = documentOf(source).document));
    return document;
  }
}

/** Operators whose operand names a definition of the rule's file. In another file the same name means something else. */
const NAMING = new Set(["in_list", "within"]);
const OWN = /(?<![\w.])(?:inputs|texts)\./;

/** Adds the file to names of shared definitions in a written value, so that equal names in two files differ. */
export function withOwnNames(written: unknown, file: string): unknown {
  if (typeof written === "string") return OWN.test(written) ? `${file}: ${written}` : written;
  if (Array.isArray(written)) return written.map((one) => withOwnNames(one, file));
  if (typeof written !== "object" || written === null) return written;
  return Object.fromEntries(
    Object.entries(written).map(([key, value]: [string, unknown]) => [
      key,
      NAMING.has(key) ? { file, named: value } : withOwnNames(value, file),
    ]),
  );
}
