import { OperationError } from "../operation.ts";

/** The smallest of each kind that the platform takes: base64. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const MP4 = "AAAAGGZ0eXBpc29tAAACAGlzb21pc28yAAAACGZyZWU=";

/** What can be uploaded without having any, by its category. */
export const SAMPLES = {
  tweet_image: { words: "a picture for posts", base64: PNG },
  tweet_gif: { words: "a GIF for posts", base64: GIF },
  tweet_video: { words: "a video for posts", base64: MP4 },
  dm_image: { words: "a picture for messages", base64: PNG },
} as const;

/** Base64. @throws {OperationError} for a category that has none. */
export function sampleOf(category: string): string {
  const found = Object.entries(SAMPLES).find(([name]) => name === category);
  if (found === undefined) throw new OperationError(`there is no sample of ${category}`);
  return found[1].base64;
}
