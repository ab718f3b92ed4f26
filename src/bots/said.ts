import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { ActionOf } from "../actions/actions.ts";
import { mediaTypeByName } from "../system/files/media-file.ts";

/** Text of an answer or post, optionally with a picture or video. */
export type BotText = string | TextWithMedia;

/** A text with a picture or video. */
export interface TextWithMedia {
  /** Text, which must not be empty. */
  readonly text: string;
  /** Picture or video on this machine: `new URL("./map.png", import.meta.url)`, or an absolute path. */
  readonly media: string | URL;
}

type PostOptions = Pick<ActionOf<"create_post">, "poll" | "replySettings">;

/** Text of a post, optionally with a picture or video, or with a poll. */
export type BotPost = BotText | TextWithPostOptions;

/** A text with options that posts have and direct messages lack: who may reply, and a poll instead of media. */
export type TextWithPostOptions = Pick<TextWithMedia, "text"> &
  Pick<PostOptions, "replySettings"> &
  (WithoutPoll | WithoutMedia);

interface WithoutPoll extends Partial<Pick<TextWithMedia, "media">> {
  readonly poll?: never;
}

interface WithoutMedia extends Pick<PostOptions, "poll"> {
  readonly media?: never;
}

/** Options of posts that only `ctx.send` takes. */
const SEND_OPTIONS = ["long", "thirdParties"];

/**
 * Returns a post's poll and reply settings, without validating them.
 *
 * @throws {TypeError} for a poll beside media, and for an option that `call` does not take.
 */
export function optionsOf(said: BotPost, call: string): PostOptions {
  if (typeof said !== "object" || said === null) return {};
  const takes = `${call} takes text, media, poll and replySettings`;
  refuseOptions(said, SEND_OPTIONS, takes, "create_post");
  const { media, poll, replySettings }: Partial<TextWithPostOptions> = said;
  if (media !== undefined && poll !== undefined) {
    throw new TypeError(`a post of ${call} has a poll or media, not both`);
  }
  return {
    ...(poll !== undefined && { poll }),
    ...(replySettings !== undefined && { replySettings }),
  };
}

/** Throws a TypeError if a text has one of these options, which would be ignored. */
function refuseOptions(said: object, options: string[], takes: string, verb: string): void {
  const option = options.find((name) => Reflect.get(said, name) !== undefined);
  if (option === undefined) return;
  throw new TypeError(`${takes}, not ${option}: write ctx.send({ type: "${verb}", … })`);
}

/** Text and media as fields of an action, such as `reply`. */
export interface SaidInAction {
  readonly text: string;
  /** Absolute path of the picture or video. */
  readonly media?: string;
}

/** Like {@link saidIn}, for an answer. @throws {TypeError} also for an option of posts, such as a poll. */
export function answerIn(said: BotText, call: string): SaidInAction {
  const options = ["poll", "replySettings", ...SEND_OPTIONS];
  if (typeof said === "object" && said !== null)
    refuseOptions(said, options, `${call} takes text and media`, "reply_post");
  return saidIn(said, call);
}

/**
 * Checks and converts the text and media of an answer or post, since bot modules may be untyped.
 *
 * @param call Name of the call in errors, such as `ctx.reply`.
 * @throws {TypeError} if there is no text, or the file is not a picture or video.
 */
export function saidIn(botText: BotPost, call: string): SaidInAction {
  const said: { readonly text?: unknown; readonly media?: unknown } =
    typeof botText === "object" && botText !== null ? botText : { text: botText };
  const { text, media } = said;
  if (typeof text !== "string" || text === "") {
    throw new TypeError(`${call} takes a text of 1 character or more`);
  }
  return media === undefined ? { text } : { text, media: pathOfMedia(media, call) };
}

function pathOfMedia(media: unknown, call: string): string {
  const isUrl = media instanceof URL || (typeof media === "string" && media.startsWith("file:"));
  const path = isUrl ? fileURLToPath(media) : media;
  if (typeof path !== "string" || !isAbsolute(path)) {
    throw new TypeError(
      `the media of ${call} is a file beside the module, new URL("./map.png", import.meta.url), or an absolute path, got ${JSON.stringify(path) ?? "none"}`,
    );
  }
  if (mediaTypeByName(path) === undefined) {
    throw new TypeError(`the media of ${call} is no picture or video by its name: ${path}`);
  }
  return path;
}
