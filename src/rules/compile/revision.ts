import { valueAt } from "../../config/check-value.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { contentHash } from "../../system/content-hash.ts";

/** Part of every revision: a change of what the language means must not go unseen. */
const LANGUAGE = 2;

/** What a rule's meaning may rest on besides its own lines. */
const SHARED = ["account", "lists", "texts", "hours"];

/**
 * Names the rule at `path` by its source: SHA-256 of its lines, of what its file defines for all its
 * rules, of the file's path (`call` starts from there), and of the language's version.
 */
export function revisionOf(document: YamlDocument, path: Path): string {
  const shared = SHARED.map((key) => [key]).filter(
    (at) => valueAt(document.value, at) !== undefined,
  );
  const id = valueAt(document.value, [...path, "id"]);
  const parts = [path, ...shared].map((at) => linesAt(document, at));
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
