import { valueAt } from "../../config/check-value.ts";
import type { Path, YamlDocument } from "../../config/yaml-document.ts";
import { contentHash } from "../../system/content-hash.ts";
import type { RuleFileSource } from "../rule-file-source.ts";
import type { Dependency } from "./shared/dependency.ts";
import type { FileShared } from "./shared/file-shared.ts";

/** Version of the rule language. It is part of every revision, so a change of meaning changes all revisions. */
const LANGUAGE = 2;

/** Parts of a revision besides the rule's own lines. */
interface RevisionParts {
  readonly dependencies: readonly Dependency[];
  readonly source: RuleFileSource;
  readonly shared: Pick<FileShared, "inputs" | "account">;
}

/**
 * Returns the revision of the rule at `path`, a SHA-256 hash. It covers the version of the language, the rule's lines
 * and its shared definitions. Of the file, it covers the path (`call` steps start from it), the inputs, the account,
 * and the prefix from the `use` that includes the file.
 */
export function revisionOf(
  document: YamlDocument,
  path: Path,
  { dependencies, source, shared }: RevisionParts,
): string {
  const id = valueAt(document.value, [...path, "id"]);
  const used = [...new Set(dependencies.map(({ revision }) => revision))].sort();
  const inputs = Object.keys(shared.inputs).length === 0 ? [] : [JSON.stringify(shared.inputs)];
  const as = source.use === undefined ? [] : [`used as ${source.use.as}`];
  const account = shared.account === undefined ? [] : [`account ${shared.account}`];
  const parts = [linesAt(document, path), ...used, ...inputs, ...as, ...account];
  return contentHash(JSON.stringify([LANGUAGE, document.file, id, ...parts]));
}

/** Returns the text of a called rule, which is part of the calling rule's revision. */
export function textOf({ document, base, source, shared }: RunRule): string {
  const { path, use } = source;
  return JSON.stringify(["runs", path, use?.as, shared.inputs, linesAt(document, base)]);
}

interface RunRule extends Omit<RevisionParts, "dependencies"> {
  readonly document: YamlDocument;
  readonly base: Path;
}

/** Lines by document: a file is split once for all its rules. */
const split = new WeakMap<YamlDocument, readonly string[]>();

function linesAt(document: YamlDocument, path: Path): string {
  const lines = split.get(document) ?? document.text.split("\n");
  split.set(document, lines);
  const [first, last] = document.linesOf(path);
  return lines.slice(first - 1, last).join("\n");
}
