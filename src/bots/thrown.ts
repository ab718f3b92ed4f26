import { homedir, tmpdir } from "node:os";
import { basename, dirname, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { placeInStack } from "./watching/places.ts";

/** Describes a thrown value; for an error, with its stack. */
export function describeThrown(error: unknown): string {
  if (error instanceof Error && typeof error.stack === "string") return error.stack;
  return typeof error === "string" ? error : inspect(error);
}

/** Description of a thrown value for the author of the code. */
export interface Fault {
  /** Name, message and cause of the error, without the stack. */
  readonly message: string;
  /** Place in the author's code, as `file:line:column`. */
  readonly place?: string;
}

/** Describes a thrown value, with its place in the author's code if known. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { message: describeThrown(error) };
  const place = placeInStack(error.stack ?? "");
  return { message: withCauses(error), ...(place !== undefined && { place }) };
}

/** Returns a fault in its stored form of two lines: the message, and the place. */
export function inTwoLines({ message, place }: Fault): string {
  return place === undefined ? message : `${message}\n    at ${place}`;
}

/**
 * Returns the message of a thrown value for people who don't know the code, since rules may send the message to people.
 * Paths are reduced to file names.
 *
 * @param module Absolute path of the module that threw the value.
 */
export function quotable(error: unknown, module: string): string {
  const message = error instanceof Error ? error.message : describeThrown(error);
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  const knownPaths = typeof path === "string" && path.includes(sep) ? [path] : [];
  let text = message;
  for (const one of knownPaths) text = text.replaceAll(one, basename(one));
  for (const folder of [dirname(module), process.cwd(), tmpdir(), homedir()]) {
    if (folder.length > 1) text = withoutFolder(text, folder);
  }
  return text;
}

/** Reduces paths and file URLs below `folder` to their file names. */
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
