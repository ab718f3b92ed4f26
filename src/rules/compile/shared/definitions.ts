import { valueAt } from "../../../config/check-value.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { Looked } from "./dependency.ts";

/** Definitions under a key at the top of a rule file, by name. */
export interface Definitions<T> {
  readonly names: readonly string[];
  find(name: string): Looked<T>;
  /** Returns the problems of all definitions. */
  problems(): readonly Problem[];
}

/** Creates the lookup of the definitions under `key`. Each is compiled once, on first use. */
export function definitions<T>(
  document: YamlDocument,
  key: string,
  how: {
    readonly compile: (at: Path) => Looked<T>;
    /** Called for a name that the file does not define: returns a mistake, or the value if the name is a path. */
    readonly unknown: (name: string, names: readonly string[]) => Mistake | Looked<T>;
  },
): Definitions<T> {
  const defined = valueAt(document.value, [key]);
  const isMap = typeof defined === "object" && defined !== null && !Array.isArray(defined);
  const names = isMap ? Object.keys(defined) : [];
  const compiledByName = new Map<string, Looked<T>>();
  const compile = (name: string): Looked<T> => {
    if (names.includes(name)) return how.compile([key, name]);
    const suggestion = how.unknown(name, names);
    return "code" in suggestion ? { mistake: suggestion } : suggestion;
  };
  const find = (name: string): Looked<T> => {
    let compiledEntry = compiledByName.get(name);
    if (!compiledEntry) compiledByName.set(name, (compiledEntry = compile(name)));
    return compiledEntry;
  };
  return {
    names,
    find,
    problems: () =>
      names.flatMap((name) => {
        const compiledEntry = find(name);
        return "problems" in compiledEntry ? compiledEntry.problems : [];
      }),
  };
}
