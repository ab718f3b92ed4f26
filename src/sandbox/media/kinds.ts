import type { MediaCategory, MediaType } from "../../protocol/media.ts";

export type MediaKind = "image" | "gif" | "video" | "subtitles";

interface CategoryFacts {
  readonly kind: MediaKind;
  /** First part of the media key. */
  readonly prefix: string;
  /** Where it may be attached. */
  readonly place: "post" | "message" | "nowhere";
}

export const CATEGORIES: Readonly<Record<MediaCategory, CategoryFacts>> = {
  tweet_image: { kind: "image", prefix: "3", place: "post" },
  tweet_gif: { kind: "gif", prefix: "16", place: "post" },
  tweet_video: { kind: "video", prefix: "7", place: "post" },
  amplify_video: { kind: "video", prefix: "13", place: "post" },
  dm_image: { kind: "image", prefix: "3", place: "message" },
  dm_gif: { kind: "gif", prefix: "16", place: "message" },
  dm_video: { kind: "video", prefix: "7", place: "message" },
  subtitles: { kind: "subtitles", prefix: "4", place: "nowhere" },
};

/** Whether `type` is allowed in `category`; a still GIF is a picture as well. */
export function typeFits(type: MediaType, category: MediaCategory): boolean {
  const { kind } = CATEGORIES[category];
  if (kind === "gif") return type === "image/gif";
  return type.startsWith(`${kind === "subtitles" ? "text" : kind}/`);
}

/** The category of an upload that names none. */
export function categoryOf(type: MediaType): MediaCategory {
  if (type === "image/gif") return "tweet_gif";
  if (type.startsWith("video/")) return "tweet_video";
  return type.startsWith("text/") ? "subtitles" : "tweet_image";
}

/** The type assumed where neither the bytes nor the request show one. */
export function assumedType(category: MediaCategory): MediaType {
  switch (CATEGORIES[category].kind) {
    case "image":
      return "image/jpeg";
    case "gif":
      return "image/gif";
    case "video":
      return "video/mp4";
    case "subtitles":
      return "text/srt";
  }
}
