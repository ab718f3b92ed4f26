import { valueAt } from "../../../config/check-value.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { Looked } from "./brought.ts";

/** What stands under a key at the top of a rule file, by its names. */
export interface Definitions<T> {
  readonly names: readonly string[];
  find(name: string): Looked<T>;
  /** What is wrong with all that is defined. */
  problems(): readonly Problem[];
}

/** What stands under `key`, each piece compiled once, whoever asks for it. */
export function definitions<T>(
  document: YamlDocument,
  key: string,
  how: {
    readonly compile: (at: Path) => Looked<T>;
    /** What is said of a name that is not defined; it may stand for something all the same. */
    readonly unknown: (name: string, names: readonly string[]) => Mistake | Looked<T>;
  },
): Definitions<T> {
  const defined = valueAt(document.value, [key]);
  const isMap = typeof defined === "object" && defined !== null && !Array.isArray(defined);
  const names = isMap ? Object.keys(defined) : [];
  const known = new Map<string, Looked<T>>();
  const compile = (name: string): Looked<T> => {
    if (names.includes(name)) return how.compile([key, name]);
    const found = how.unknown(name, names);
    return "code" in found ? { mistake: found } : found;
  };
  const find = (name: string): Looked<T> => {
    let found = known.get(name);
    if (!found) known.set(name, (found = compile(name)));
    return found;
  };
  return {
    names,
    find,
    problems: () =>
      names.flatMap((name) => {
        const found = find(name);
        return "problems" in found ? found.problems : [];
      }),
  };
}
