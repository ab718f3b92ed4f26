import { contentHash } from "../../../system/content-hash.ts";
import { MEDIA_FILE_TYPES, mediaTypeByName } from "../../../system/files/media-file.ts";
import type { Mistake } from "../../../config/problem.ts";
import { MEDIA_BYTES } from "../../../protocol/media.ts";
import { type NamedFile, type NamedFiles, pathFrom } from "../../named-files.ts";
import type { Looked } from "./dependency.ts";
import { refusedFile } from "./named-in-file.ts";

/** Creates the lookup of the pictures and videos that steps of the rule file `from` name. */
export function mediaOf(from: string, named: NamedFiles): (written: string) => Looked<string> {
  return (written) => {
    const path = pathFrom(from, written);
    const read = named[path];
    const mistake = mistakeOf(written, read);
    if (mistake !== undefined) return { mistake };
    return {
      value: written,
      dependency: { revision: contentHash(JSON.stringify(read)), files: [path] },
    };
  };
}

function mistakeOf(written: string, read: NamedFile | undefined): Mistake | undefined {
  const type = mediaTypeByName(written);
  if (type === undefined) {
    const ends = Object.keys(MEDIA_FILE_TYPES).join(", ");
    const message = `"${written}" is not a picture or video that the platform accepts`;
    return { code: "media-file", message, help: `name a file that ends in one of: ${ends}` };
  }
  if (read === undefined || "refused" in read || "text" in read)
    return refusedFile(written, read, "media");
  const { bytes, type: actualType } = read;
  if (actualType !== type && !(type === "video/quicktime" && actualType === "video/mp4")) {
    const what = actualType === undefined ? "neither picture nor video" : `of type ${actualType}`;
    const message = `the file ${written} is ${what} by its content`;
    return { code: "media-file", message, help: "save it again in the format of its file name" };
  }
  const kind = type === "image/gif" ? "gif" : type.startsWith("video/") ? "video" : "image";
  const most = MEDIA_BYTES[kind];
  if (bytes <= most) return undefined;
  const message = `the file ${written} has ${mib(bytes)} MiB; the platform accepts ${mib(most)} MiB for ${kind === "image" ? "a picture" : `a ${kind}`}`;
  return { code: "media-file", message, help: "make it smaller" };
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, "");
}
