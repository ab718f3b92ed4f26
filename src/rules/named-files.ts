/** Why a file that a rule file names can't be had. */
export type FileRefusal =
  | "missing"
  | "outside"
  | "hidden"
  | "ending"
  | "not-utf8"
  | "too-large"
  | "unreadable";

/** A file that a rule file names, as it was read. Plain JSON: it is kept with open runs. */
export type NamedFile =
  | { readonly text: string }
  /** A picture or video: its size, and its type by its first bytes. */
  | { readonly bytes: number; readonly type?: string }
  | { readonly refused: FileRefusal };

/** Files that a rule file names, by their path: as the path of a rule file is written. */
export type NamedFiles = Readonly<Record<string, NamedFile>>;

/** A named file may have so many bytes. */
export const MAX_NAMED_FILE = 1024 * 1024;

/** The path of what `from` names as `written`, which starts from its folder. */
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
