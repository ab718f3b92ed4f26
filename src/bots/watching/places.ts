import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Folders of this code, and of the client that handlers call: a frame of a stack that lies there is not the author's. */
const OURS = ["..", "../../client/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
/** Where a frame is, as V8 writes it: a path unchanged, a URL with its own escapes. Both may have spaces and parentheses. */
const WHERE = String.raw`((?:file:\/\/)?\/.+|[A-Za-z]:\\.+):(\d+):(\d+)`;
const PACKAGES = /[\\/]node_modules[\\/]/;
/** No file has such a URL: a name has no slash in it. */
const ENCODED_SLASH = /^file:.*%2f/i;
const FRAMES = [
  new RegExp(String.raw`^at (?:async )?${WHERE}$`),
  new RegExp(String.raw`^at .*? \(${WHERE}\)$`),
];
/** A frame of code that was put together names the place of its `eval`, in parentheses of its own. */
const PUT_TOGETHER = "(eval at ";

/** The first place in a stack that is the author's own code, as `file:line:column`. */
export function placeInStack(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, where = "", row = "", column = ""] = frameOf(line.trim()) ?? [];
    if (isAuthors(where)) return `${pathOf(where)}:${row}:${column}`;
  }
  return undefined;
}

function frameOf(line: string): RegExpExecArray | null {
  if (line.includes(PUT_TOGETHER)) return null;
  for (const frame of FRAMES) {
    const found = frame.exec(line);
    if (found !== null) return found;
  }
  return null;
}

/** Where a bot module begins its handler of a trigger, as `file:line:column`; the file where that can't be found. */
export async function placeOfHandler(file: string, triggers: readonly string[]): Promise<string> {
  const text = await readFile(file, "utf8").catch(() => "");
  for (const trigger of triggers) {
    const at = ['"', "'", "`"]
      .map((quote) => text.indexOf(quote + trigger + quote))
      .find((one) => one >= 0);
    if (at !== undefined) return `${file}:${lineAndColumn(text, at)}`;
  }
  return file;
}

/** Whether a path or URL of a file is one of the author's: no package, and none of these. */
export function isAuthors(where: string): boolean {
  if (!/^(file:\/\/|\/|[A-Za-z]:\\)/.test(where) || ENCODED_SLASH.test(where)) return false;
  const path = pathOf(where);
  return !OURS.some((folder) => path.startsWith(folder)) && !PACKAGES.test(path);
}

/** A path, whether it was given as one or as a URL. */
export function pathOf(where: string): string {
  return where.startsWith("file://") ? fileURLToPath(where.replace(/\?.*$/, "")) : where;
}

function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
