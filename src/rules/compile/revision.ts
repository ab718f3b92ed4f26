import { valueAt } from "../../config/check-value.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { contentHash } from "../../system/content-hash.ts";
import type { Brought } from "./shared/brought.ts";

/** Part of every revision: a change of what the language means must not go unseen. */
const LANGUAGE = 2;

/**
 * Names the rule at `path` by its source: SHA-256 of its lines, of what it uses of what its file has for all
 * rules, of the file's path (`call` starts from there), and of the language's version.
 */
export function revisionOf(
  document: YamlDocument,
  path: Path,
  brought: readonly Brought[],
): string {
  const id = valueAt(document.value, [...path, "id"]);
  const used = [...new Set(brought.map(({ revision }) => revision))].sort();
  const parts = [linesAt(document, path), ...used];
  return contentHash(JSON.stringify([LANGUAGE, document.file, id, ...parts]));
}

/** A file is split once for all its rules. */
const split = new WeakMap<YamlDocument, readonly string[]>();

function linesAt(document: YamlDocument, path: Path): string {
  const lines = split.get(document) ?? document.text.split("\n");
  split.set(document, lines);
  const [first, last] = document.linesOf(path);
  return lines.slice(first - 1, last).join("\n");
}
