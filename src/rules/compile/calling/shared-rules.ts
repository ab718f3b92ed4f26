import { contentHash } from "../../../system/content-hash.ts";
import type { RuleFileSource } from "../../rule-file-source.ts";
import { type CallableRules, callableRules, type OpenFile, openFile } from "./calls.ts";
import type { RuleOutline } from "./rule-outline.ts";

/** Rules of a project that steps may call. */
export interface SharedRules {
  readonly callable: CallableRules;
  /** Returns whether a rule has no triggers and is only called by other rules. */
  isShared(file: RuleOutline, index: number): boolean;
  /**
   * Returns a key of everything that the compilation of a file reads from other files: the files whose rules it runs,
   * directly or through other rules. If neither key nor file has changed, the compiled rules are still valid. Empty if
   * the file reads no other files.
   */
  dependencyKey(file: RuleOutline): string;
}

/**
 * Finds the rules of `files` that other rules call.
 *
 * @param open Opens a file whose rules are called. By default, the file is read again.
 */
export function sharedRules(files: readonly RuleOutline[], open: OpenFile = openFile): SharedRules {
  const callable = callableRules(files, open);
  let run: ReadonlySet<string> | undefined;
  const isRun = (id: string): boolean => {
    run ??= new Set(
      files.flatMap(({ source, runs }) =>
        runs.flatMap((one) => callable.placeOf(one, source)?.id ?? []),
      ),
    );
    return run.has(id);
  };
  const isShared: SharedRules["isShared"] = ({ ids, untriggered }, index) => {
    const id = ids[index];
    return id !== undefined && untriggered.has(index) && isRun(id);
  };
  const hashes = new Map<RuleFileSource, string>();
  const hashOf = (source: RuleFileSource): string => {
    const hash = hashes.get(source) ?? contentHash(JSON.stringify(source));
    hashes.set(source, hash);
    return hash;
  };
  return {
    callable,
    isShared,
    dependencyKey(file) {
      if (file.runs.length === 0 && file.untriggered.size === 0) return "";
      const { reached, isLost } = reachedFrom(file, callable);
      return JSON.stringify([
        [...file.untriggered].filter((index) => isShared(file, index)),
        [...reached].map(({ source }) => hashOf(source)),
        // the message about an unknown id suggests one of these ids
        isLost ? callable.names(file.source) : [],
      ]);
    },
  };
}

/** Returns the files whose rules a file's rules call, directly or through other rules. */
function reachedFrom(
  file: RuleOutline,
  callable: CallableRules,
): { readonly reached: ReadonlySet<RuleOutline>; readonly isLost: boolean } {
  const reached = new Set([file]);
  let isLost = false;
  for (const { source, runs } of reached) {
    for (const run of runs) {
      const place = callable.placeOf(run, source);
      if (place === undefined) isLost = true;
      else reached.add(place.file);
    }
  }
  reached.delete(file);
  return { reached, isLost };
}
