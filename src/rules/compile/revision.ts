import { valueAt } from "../../config/check-value.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { contentHash } from "../../system/content-hash.ts";
import type { RuleFileSource } from "../rule-file-source.ts";
import type { Brought } from "./shared/brought.ts";
import type { FileShared } from "./shared/file-shared.ts";

/** Part of every revision: a change of what the language means must not go unseen. */
const LANGUAGE = 2;

/** What a rule rests on besides its own lines. */
interface RevisionParts {
  readonly brought: readonly Brought[];
  readonly source: RuleFileSource;
  readonly shared: Pick<FileShared, "inputs" | "account">;
}

/**
 * Names the rule at `path` by its source: SHA-256 of its lines, of what it uses of what its file has for all
 * rules, of the inputs of its file and the name under which that is used, of the file's path (`call` starts from there), and of the language's version.
 */
export function revisionOf(
  document: YamlDocument,
  path: Path,
  { brought, source, shared }: RevisionParts,
): string {
  const id = valueAt(document.value, [...path, "id"]);
  const used = [...new Set(brought.map(({ revision }) => revision))].sort();
  const inputs = Object.keys(shared.inputs).length === 0 ? [] : [JSON.stringify(shared.inputs)];
  const as = source.use === undefined ? [] : [`used as ${source.use.as}`];
  const account = shared.account === undefined ? [] : [`account ${shared.account}`];
  const parts = [linesAt(document, path), ...used, ...inputs, ...as, ...account];
  return contentHash(JSON.stringify([LANGUAGE, document.file, id, ...parts]));
}

/** What a rule says that another one runs: part of the revision of that one. */
export function textOf({ document, base, source, shared }: RunRule): string {
  const { path, use } = source;
  return JSON.stringify(["runs", path, use?.as, shared.inputs, linesAt(document, base)]);
}

interface RunRule extends Omit<RevisionParts, "brought"> {
  readonly document: YamlDocument;
  readonly base: Path;
}

/** A file is split once for all its rules. */
const split = new WeakMap<YamlDocument, readonly string[]>();

function linesAt(document: YamlDocument, path: Path): string {
  const lines = split.get(document) ?? document.text.split("\n");
  split.set(document, lines);
  const [first, last] = document.linesOf(path);
  return lines.slice(first - 1, last).join("\n");
}
