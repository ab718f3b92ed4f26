import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { CompiledRule } from "../../ruleset.ts";
import { documentOf } from "../shared/uses.ts";

/** A compiled rule, and what of its text is compared with other rules. */
export interface WrittenRule {
  readonly rule: CompiledRule;
  /** Where it stands in its file. */
  readonly path: Path;
  /** Its conditions as they are written. */
  readonly conditions: readonly unknown[];
  /** Its triggers as they are written. */
  readonly triggers: readonly unknown[];
  /** Its variables as they are written. */
  readonly variables: unknown;
}

/** A rule among all, with the places of what is wrong with it. */
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

  /** The problem `mistake` at a place of the rule. */
  problemAt(path: Path, mistake: Mistake): Problem {
    return this.#documents.of(this.rule).problemAt([...this.path, ...path], mistake);
  }
}

/** Files read once more where something of them is to be told: most have nothing, and none is kept. */
export class Documents {
  readonly #read = new Map<CompiledRule["source"], YamlDocument>();

  of({ source }: Pick<CompiledRule, "source">): YamlDocument {
    let document = this.#read.get(source);
    if (!document) this.#read.set(source, (document = documentOf(source).document));
    return document;
  }
}

/** Operators whose operand names something of the rule's file: another file has another thing by that name. */
const NAMING = new Set(["in_list", "within"]);
const OWN = /(?<![\w.])(?:inputs|texts)\./;

/** What is written in a file, each name of it told from the same name of another file, or of another use of it. */
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
