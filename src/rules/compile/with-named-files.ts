import type { NamedFile } from "../named-files.ts";
import type { SourceFile } from "./compile.ts";
import { filesNamedIn } from "./shared/named-in-file.ts";

/** Reads a file that the rule file `from` names. Paths are written as those of rule files are. */
export type ReadNamedFile = (path: string, from: string) => Promise<NamedFile>;

/** Rule files together with the files that they name: what `compile` needs of them. */
export async function withNamedFiles(
  files: readonly SourceFile[],
  read: ReadNamedFile,
): Promise<readonly SourceFile[]> {
  const reading = new Map<string, Promise<NamedFile>>();
  const once = (path: string, from: string): Promise<NamedFile> => {
    let found = reading.get(path);
    if (!found) reading.set(path, (found = read(path, from)));
    return found;
  };
  return Promise.all(
    files.map(async (file) => {
      const paths = filesNamedIn(file.path, file.text);
      if (paths.length === 0) return file;
      const named = await Promise.all(
        paths.map(async (path) => [path, await once(path, file.path)] as const),
      );
      return { ...file, named: Object.fromEntries(named) };
    }),
  );
}
