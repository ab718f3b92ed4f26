import type { NamedFile } from "../named-files.ts";
import type { SourceFile } from "./compile.ts";
import { filesNamedIn, isRuleFile } from "./shared/named-in-file.ts";

/** Reads the file at `path`, which the rule file `from` names. Both paths are relative to the same folder. */
export type ReadNamedFile = (path: string, from: string) => Promise<NamedFile>;

/** Adds to rule files the contents of the files that they name, for `compile`. */
export async function withNamedFiles(
  files: readonly SourceFile[],
  read: ReadNamedFile,
): Promise<readonly SourceFile[]> {
  const reading = new Map<string, Promise<NamedFile>>();
  const once = (path: string, from: string): Promise<NamedFile> => {
    let pendingRead = reading.get(path);
    if (!pendingRead) reading.set(path, (pendingRead = read(path, from)));
    return pendingRead;
  };
  const collect = async (
    { path: from, text }: SourceFile,
    named: Map<string, NamedFile>,
  ): Promise<void> => {
    for (const path of filesNamedIn(from, text)) {
      if (named.has(path)) continue;
      const namedFile = await once(path, from);
      named.set(path, namedFile);
      if ("text" in namedFile && isRuleFile(path))
        await collect({ path, text: namedFile.text }, named);
    }
  };
  return Promise.all(
    files.map(async (file) => {
      const named = new Map<string, NamedFile>();
      await collect(file, named);
      return named.size === 0 ? file : { ...file, named: Object.fromEntries(named) };
    }),
  );
}
