import { isAbsolute, resolve } from "node:path";
import { MEDIA_ENDINGS, MEDIA_HEAD_BYTES, mediaTypeByHead, mediaTypeByName } from "./media-file.ts";
import {
  type FileFault,
  LIST_ENDINGS,
  openProjectFile,
  type OpenProjectFile,
  RULE_ENDINGS,
} from "./project-file.ts";

/** Result of reading a file: its text, or the size and type of a picture or video, or the reason why it is refused. */
type ReadFile =
  | { readonly text: string }
  | { readonly bytes: number; readonly type?: string }
  | { readonly refused: FileFault | "not-utf8" };

const TEXT_ENDINGS = new RegExp(`${RULE_ENDINGS.source}|${LIST_ENDINGS.source}`, "i");

export interface NamedFilePlaces {
  /** Absolute folder to which paths are relative. */
  readonly base: string;
  /** Absolute folders of the project. Files outside them are not read. */
  readonly folders: readonly string[];
  /** Size limit of a text file in bytes. */
  readonly most: number;
}

/**
 * Creates the function that reads files named in rule files: texts in UTF-8, and sizes and types of pictures and
 * videos.
 */
export function namedFileReader({
  base,
  folders,
  most,
}: NamedFilePlaces): (path: string) => Promise<ReadFile> {
  return async (path) => {
    if (isAbsolute(path)) return { refused: "outside" };
    const isMedia = mediaTypeByName(path) !== undefined;
    const opened = await openProjectFile(resolve(base, path), {
      folders,
      endings: isMedia ? MEDIA_ENDINGS : TEXT_ENDINGS,
      maxBytes: isMedia ? Infinity : most,
    });
    if ("refused" in opened) return opened;
    try {
      return await (isMedia ? mediaIn(opened) : textIn(opened));
    } catch (error) {
      return { refused: error instanceof TypeError ? "not-utf8" : "unreadable" };
    } finally {
      await opened.file.close();
    }
  };
}

async function mediaIn({ file, bytes }: OpenProjectFile): Promise<ReadFile> {
  const head = new Uint8Array(MEDIA_HEAD_BYTES);
  await file.read(head, 0, MEDIA_HEAD_BYTES, 0);
  const type = mediaTypeByHead(head);
  return { bytes, ...(type !== undefined && { type }) };
}

async function textIn({ file }: OpenProjectFile): Promise<ReadFile> {
  return { text: new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile()) };
}
