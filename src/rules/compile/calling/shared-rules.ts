import { valueAt } from "../../../config/check-value.ts";
import type { Problem } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { type CallableFile, type CallableRules, callableRules } from "./calls.ts";
import { idIn } from "./rule-id.ts";

/** The rules of a project as steps may run them. */
export interface SharedRules {
  readonly callable: CallableRules;
  /** Whether the rule at `base` is there for others to run only: it has no triggers, and one does run it. */
  isShared(file: CallableFile, base: Path): boolean;
  /** The mistake that another rule has the id of one that is there for others to run. */
  repeated(file: CallableFile, base: Path): readonly Problem[];
}

/** Finds the rules of `files` that others run. */
export function sharedRules(files: readonly CallableFile[]): SharedRules {
  const callable = callableRules(files);
  const run = new Set(
    files.flatMap(({ document, source }) =>
      /\brun\b/.test(document.text)
        ? runsIn(document.value).flatMap((id) => callable.find(id, source)?.id ?? [])
        : [],
    ),
  );
  const idAt = ({ document, source }: CallableFile, base: Path): string | undefined => {
    const id = valueAt(document.value, [...base, "id"]);
    return typeof id === "string" ? idIn(source, id) : undefined;
  };
  const isShared: SharedRules["isShared"] = (file, base) => {
    const id = idAt(file, base);
    return id !== undefined && run.has(id) && !hasTriggers(file, base);
  };
  return {
    callable,
    isShared,
    repeated(file, base) {
      const id = idAt(file, base);
      const first = id === undefined ? undefined : callable.find(id, file.source);
      if (first === undefined || (first.document === file.document && first.base[1] === base[1])) {
        return [];
      }
      if (hasTriggers(file, base) && hasTriggers(first, first.base)) return [];
      const { document } = first;
      const message = `the rule id "${first.id}" is taken: ${document.file}:${document.linesOf(first.base)[0]}`;
      const help = `write another id, as ${first.id}-2`;
      return [file.document.problemAt([...base, "id"], { code: "duplicate-id", message, help })];
    },
  };
}

function hasTriggers({ document }: Pick<CallableFile, "document">, base: Path): boolean {
  return valueAt(document.value, [...base, "triggers"]) !== undefined;
}

/** Ids of the rules that steps run, as they name them. */
function runsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const run = valueAt(value, ["run"]);
  const inside = Object.values(value).flatMap(runsIn);
  return typeof run === "string" ? [run, ...inside] : inside;
}
