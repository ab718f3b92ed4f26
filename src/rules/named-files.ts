/** Reason why a file that a rule file names can't be used. */
export type FileRefusal =
  | "missing"
  | "outside"
  | "hidden"
  | "ending"
  | "not-utf8"
  | "too-large"
  | "unreadable";

/** Content of a file that a rule file names. Plain JSON, since it is stored with open runs. */
export type NamedFile =
  | { readonly text: string }
  /** Picture or video: its size, and the type detected from its first bytes. */
  | { readonly bytes: number; readonly type?: string }
  | { readonly refused: FileRefusal };

/** Files that a rule file names, by path. Relative paths start from the same folder as the path of the rule file. */
export type NamedFiles = Readonly<Record<string, NamedFile>>;

/** Maximum size of a named file, in bytes. */
export const MAX_NAMED_FILE = 1024 * 1024;

/** Resolves the path `written` in the file `from`, relative to the folder of `from`. */
export function pathFrom(from: string, written: string): string {
  if (written.startsWith("/")) return written;
  const parts = from.split("/").slice(0, -1);
  for (const part of written.split("/")) {
    if (part === "..") {
      const last = parts.at(-1);
      if (last === undefined || last === "..") parts.push("..");
      else parts.pop();
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
