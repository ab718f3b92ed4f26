import { homedir, tmpdir } from "node:os";
import { basename, dirname, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { messageOf } from "../system/error-message.ts";
import { placeInStack, withAuthorsFrames, withoutOurFrames } from "./watching/places.ts";

/** Describes a thrown value; for an error, with its stack. */
export function describeThrown(error: unknown): string {
  if (typeof error === "string") return error;
  return described(() => {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === "string" ? stack : inspect(error);
  });
}

/**
 * Describes why a module can't be loaded, with the stack. For a missing package or file, the frames of packages are
 * left out: they belong to the loaders, and the message names the importing file.
 */
export function describeLoadFault(error: unknown): string {
  const isMissing =
    error instanceof Error && "code" in error && MISSING_MODULE.has(String(error.code));
  const text = describeThrown(error);
  return isMissing ? withAuthorsFrames(text) : withoutOurFrames(text);
}

const MISSING_MODULE = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);

/** Returns a description of a thrown value, unless code of the value itself fails, such as its `toString`. */
function described(describe: () => string): string {
  try {
    return describe();
  } catch {
    return "a thrown value whose own code fails when it is described";
  }
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
  if (!(error instanceof Error)) return { message: shortened(describeThrown(error)) };
  // the stack is an object with libraries that set `Error.prepareStackTrace`
  const place = placeInStack(described(() => String(error.stack)));
  const message = shortened(described(() => withCauses(error)));
  return { message, ...(place !== undefined && { place }) };
}

/** Maximum characters of a message. It is stored with each failed run, and may contain a whole web page. */
const MAX_MESSAGE_CHARACTERS = 2_000;

/** Cuts a text to {@link MAX_MESSAGE_CHARACTERS}. */
export function shortened(text: string): string {
  return text.length <= MAX_MESSAGE_CHARACTERS
    ? text
    : `${text.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…`;
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
  const message = shortened(describeThrown(error instanceof Error ? messageOf(error) : error));
  const path = error instanceof Error && "path" in error ? error.path : undefined;
  const knownPaths = typeof path === "string" && path.includes(sep) ? [path] : [];
  let text = message;
  for (const one of knownPaths) text = text.replaceAll(one, basename(one));
  for (const folder of [dirname(module), process.cwd(), tmpdir(), homeFolder()]) {
    if (folder.length > 1) text = withoutFolder(text, folder);
  }
  return text;
}

/** Returns the user's home folder; empty if the user has none, as with a container's random user id. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
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

/** Maximum number of causes below each other, and beside each other, in the description of an error. */
const MAX_CAUSES = 5;

/** Describes an error with its causes. Node reports a refused connection as `AggregateError` without a message. */
function withCauses(error: unknown, above: readonly unknown[] = []): string {
  if (!(error instanceof Error)) return describeThrown(error);
  const causes: unknown[] = error instanceof AggregateError ? [...error.errors] : [];
  if (error.cause !== undefined) causes.push(error.cause);
  if (causes.length === 0 || above.length === MAX_CAUSES || above.includes(error)) {
    return String(error);
  }
  const texts = causes.slice(0, MAX_CAUSES).map((cause) => withCauses(cause, [...above, error]));
  return `${String(error)} (because of ${texts.join("; ")})`;
}
