import { open } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { MEDIA_HEAD_BYTES, mediaTypeByHead, mediaTypeByName } from "./media-file.ts";
import { isMissingFile } from "./missing-file.ts";

/** A file's text, size and type of a picture or video, or why it can't be had. */
type ReadFile =
  | { readonly text: string }
  | { readonly bytes: number; readonly type?: string }
  | { readonly refused: "missing" | "outside" | "not-utf8" | "too-large" | "unreadable" };

/**
 * Reads files that other files name: texts in UTF-8, pictures and videos, below a folder or beside the file that names them.
 *
 * @param base Folder that paths start from.
 * @param most So many bytes at most.
 */
export function namedFileReader(
  base: string,
  most: number,
): (path: string, from: string) => Promise<ReadFile> {
  return async (path, from) => {
    const place = resolve(base, path);
    const allowed = [base, resolve(base, dirname(from))];
    if (isAbsolute(path) || !allowed.some((folder) => isBelow(folder, place))) {
      return { refused: "outside" };
    }
    try {
      return await (mediaTypeByName(path) === undefined ? readText(place, most) : readMedia(place));
    } catch (error) {
      return { refused: isMissingFile(error) ? "missing" : "unreadable" };
    }
  };
}

function isBelow(folder: string, place: string): boolean {
  const way = relative(folder, place);
  const [first] = way.split(sep);
  return way !== "" && first !== ".." && !isAbsolute(way);
}

async function readMedia(place: string): Promise<ReadFile> {
  const file = await open(place);
  try {
    const info = await file.stat();
    if (!info.isFile()) return { refused: "unreadable" };
    const head = new Uint8Array(MEDIA_HEAD_BYTES);
    await file.read(head, 0, MEDIA_HEAD_BYTES, 0);
    const type = mediaTypeByHead(head);
    return { bytes: info.size, ...(type !== undefined && { type }) };
  } finally {
    await file.close();
  }
}

async function readText(place: string, most: number): Promise<ReadFile> {
  const file = await open(place);
  try {
    const info = await file.stat();
    if (!info.isFile()) return { refused: "unreadable" };
    if (info.size > most) return { refused: "too-large" };
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile()) };
  } catch (error) {
    if (error instanceof TypeError) return { refused: "not-utf8" };
    throw error;
  } finally {
    await file.close();
  }
}
