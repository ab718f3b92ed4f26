/** Media types by file name extension. */
export const MEDIA_FILE_TYPES = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
} as const;

/** Media type in {@link MEDIA_FILE_TYPES}. */
export type MediaFileType = (typeof MEDIA_FILE_TYPES)[keyof typeof MEDIA_FILE_TYPES];

const TYPES: ReadonlyMap<string, MediaFileType> = new Map(Object.entries(MEDIA_FILE_TYPES));

/** Media type by file name; `undefined` if it is not a picture or video. */
export function mediaTypeByName(path: string): MediaFileType | undefined {
  return TYPES.get(/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}

/** File name extensions of pictures and videos. */
export const MEDIA_ENDINGS = new RegExp(`\\.(?:${Object.keys(MEDIA_FILE_TYPES).join("|")})$`, "i");

/** Number of bytes at a file's beginning that determine its type. */
export const MEDIA_HEAD_BYTES = 16;

/** Media type by the first bytes; `undefined` if it is not a picture or video. */
export function mediaTypeByHead(head: Uint8Array): MediaFileType | undefined {
  const text = Array.from(head, (byte) => String.fromCharCode(byte)).join("");
  if (text.startsWith("\u0089PNG\r\n")) return "image/png";
  if (text.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "image/webp";
  if (text.startsWith("\u001aE\u00df\u00a3")) return "video/webm";
  if (!text.startsWith("ftyp", 4)) return undefined;
  return text.startsWith("qt", 8) ? "video/quicktime" : "video/mp4";
}
