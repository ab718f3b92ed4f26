import { homedir, tmpdir } from "node:os";
import { basename, dirname, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { placeInStack } from "./watching/places.ts";

/** What was thrown, with its stack: authors may throw anything. */
export function describeThrown(error: unknown): string {
  if (error instanceof Error && typeof error.stack === "string") return error.stack;
  return typeof error === "string" ? error : inspect(error);
}

/** What was thrown, for the one who wrote it. */
export interface Fault {
  /** Its name and message, and what it came of; nothing of the stack. */
  readonly message: string;
  /** Where in the author's code, as `file:line:column`. */
  readonly place?: string;
}

/** What was thrown, and where in the author's code. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const place = placeInStack(error.stack ?? "");
  return { message: withCauses(error), ...(place !== undefined && { place }) };
}

/** A fault in two lines, as it is kept with its run: the message, and the place. */
export function inTwoLines({ message, place }: Fault): string {
  return place === undefined ? message : `${message}\n    at ${place}`;
}

/**
 * What was thrown, for people who know nothing of the code: a rule may send it on. It is the message alone; of
 * files there is the name, not the path.
 *
 * @param module Absolute path of the module that threw.
 */
export function quotable(error: unknown, module: string): string {
  const message = error instanceof Error ? error.message : describeThrown(error);
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  const known = typeof path === "string" && path.includes(sep) ? [path] : [];
  let text = message;
  for (const one of known) text = text.replaceAll(one, basename(one));
  for (const folder of [dirname(module), process.cwd(), tmpdir(), homedir()]) {
    if (folder.length > 1) text = withoutFolder(text, folder);
  }
  return text;
}

/** Of a path below `folder`, also as a URL, the last part is left. */
function withoutFolder(text: string, folder: string): string {
  return text
    .replaceAll(`${pathToFileURL(folder).href}/`, `${folder}${sep}`)
    .replaceAll(`file://${folder}${sep}`, `${folder}${sep}`)
    .split(`${folder}${sep}`)
    .map((piece, index) => (index === 0 ? piece : piece.replace(/^[^\s'"`)]*[\\/]/, "")))
    .join("");
}

function withCauses(error: Error): string {
  const { cause } = error;
  if (cause === undefined) return String(error);
  return `${String(error)} (because of ${cause instanceof Error ? String(cause) : describeThrown(cause)})`;
}
