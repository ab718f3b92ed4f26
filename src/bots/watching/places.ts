import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * Folders of this package whose code runs in bot threads. Their stack frames are not the author's code. In the built
 * package, `parts` has the modules that several entry points share.
 */
const OURS = ["..", "../../client/", "../../parts/"].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);
/** Matches a place in a stack frame of V8: a path or an escaped URL, which may contain spaces and parentheses. */
const WHERE = String.raw`((?:file:\/\/)?\/.+|[A-Za-z]:\\.+):(\d+):(\d+)`;
const PACKAGES = /[\\/]node_modules[\\/]/;
/** Matches a URL with an encoded slash. It is not the URL of a file, since file names can't contain slashes. */
const ENCODED_SLASH = /^file:.*%2f/i;
const FRAMES = [
  new RegExp(String.raw`^at (?:async )?${WHERE}$`),
  new RegExp(String.raw`^at .*? \(${WHERE}\)$`),
];
/** Text that marks a stack frame of evaluated code, which has nested parentheses. */
const PUT_TOGETHER = "(eval at ";

/** Returns the first place in a stack that is the author's own code, as `file:line:column`. */
export function placeInStack(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    const [, where = "", row = "", column = ""] = frameOf(line.trim()) ?? [];
    if (isAuthors(where)) return `${pathOf(where)}:${row}:${column}`;
  }
  return undefined;
}

/** Matches a stack frame in a module whose whole text is its URL, as that of our hooks for the loading of modules. */
const DATA_FRAME = /^\s+at (?:async |.* \()?data:[^\s,]*,/;

/** Returns a stack without the frames of Node and of this package. The frames of other packages remain. */
export function withoutOurFrames(stack: string): string {
  const isKept = (line: string): boolean => {
    if (/^\s+at .*\bnode:\w/.test(line) || DATA_FRAME.test(line)) return false;
    const where = frameOf(line.trim())?.[1];
    return where === undefined || ENCODED_SLASH.test(where) || !isOurs(pathOf(where));
  };
  return stack.split("\n").filter(isKept).join("\n");
}

/** Returns a stack without the frames of Node and of packages, such as loaders of TypeScript. */
export function withAuthorsFrames(stack: string): string {
  const isShown = (line: string): boolean =>
    !/^\s+at /.test(line) || isAuthors(frameOf(line.trim())?.[1] ?? "");
  return stack.split("\n").filter(isShown).join("\n");
}

function isOurs(path: string): boolean {
  return OURS.some((folder) => path.startsWith(folder));
}

function frameOf(line: string): RegExpExecArray | null {
  if (line.includes(PUT_TOGETHER)) return null;
  for (const frame of FRAMES) {
    const frameMatch = frame.exec(line);
    if (frameMatch !== null) return frameMatch;
  }
  return null;
}

/**
 * Returns the place of a trigger's handler in a bot module, as `file:line:column`; only the file if the handler can't
 * be found.
 */
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

/** Whether a path or file URL is the author's code, and not code of a package. */
export function isAuthors(where: string): boolean {
  if (!/^(file:\/\/|\/|[A-Za-z]:\\)/.test(where) || ENCODED_SLASH.test(where)) return false;
  const path = pathOf(where);
  return !isOurs(path) && !PACKAGES.test(path);
}

/** Converts a path or file URL to a path. */
export function pathOf(where: string): string {
  return where.startsWith("file://") ? fileURLToPath(where.replace(/\?.*$/, "")) : where;
}

function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
