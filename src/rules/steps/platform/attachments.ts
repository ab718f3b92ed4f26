import type { PublicAction } from "../../../actions/parts.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { StepRun } from "../../run/step.ts";
import { broughtIn } from "./third-parties.ts";
import { compilePoll, type PostedPoll } from "./poll.ts";
import { mapOf, type Said, type SaidText, type SaidTextNow } from "./said-text.ts";

/** Text of a step for one run, with the path of its picture or video, or with its poll. */
export interface SaidNow extends SaidTextNow {
  readonly media?: string;
  readonly poll?: PostedPoll;
}

/** Compiled text of a step, with its picture, video or poll. */
export interface SaidWithAttachments {
  readonly render: (run: StepRun) => Evaluated<SaidNow>;
}

/** Text and file of an action that sends a private message. */
interface Spoken {
  readonly text: string;
  /** Absolute path of the picture or video. */
  readonly media?: string;
}

/** Fields of an action that publishes a post: text, file, poll and settings of publication. */
type Published = Spoken &
  Pick<PublicAction, "long" | "brought" | "thirdParties" | "replySettings"> & {
    readonly poll?: PostedPoll;
  };

/** Returns the fields that an action needs to send a text privately. */
export function sentPrivately({ text, media }: SaidNow): Spoken {
  return { text, ...(media === undefined ? {} : { media }) };
}

/**
 * Returns the fields that an action needs to publish a text.
 *
 * @param said Text in the rule file. It may set the handling of long texts, and of mentions and links of other people.
 * @param answered Handle of the person to whom the post replies; absent for a post that is not a reply.
 */
export function published(
  now: SaidNow,
  said: SaidText,
  run: StepRun,
  answered?: string,
): Published {
  const wishes = mapOf(said) ?? NO_WISHES;
  const { long, third_parties: thirdParties, reply_settings: replySettings } = wishes;
  const brought = broughtIn(now.template, run, now.text, answered);
  return {
    ...sentPrivately(now),
    ...(now.poll === undefined ? {} : { poll: now.poll }),
    ...(replySettings === undefined || replySettings === "everyone" ? {} : { replySettings }),
    ...(long === undefined ? {} : { long }),
    ...(brought.length === 0 ? {} : { brought }),
    ...(brought.length === 0 || thirdParties === undefined ? {} : { thirdParties }),
  };
}

const NO_WISHES: NonNullable<ReturnType<typeof mapOf>> = {};

/** Adds the picture, video or poll of the step at `path` to `text`. */
export function withAttachments(
  context: StepContext,
  path: Path,
  said: SaidText,
  text: Said | undefined,
): SaidWithAttachments | undefined {
  const { media: file, poll: writtenPoll } = mapOf(said) ?? NO_WISHES;
  if (file !== undefined && writtenPoll !== undefined) {
    const message = "a post has a picture or video, or a poll, not both";
    const help = "remove one of the two, or publish two posts";
    return context.report([...path, "poll"], { code: "poll-value", message, help }, "key");
  }
  const media = file && compileMedia(context, [...path, "media"], file);
  const poll = writtenPoll && compilePoll(context, [...path, "poll"], writtenPoll);
  const isWhole = file === undefined || media !== undefined;
  if (!text || !isWhole || (writtenPoll !== undefined && !poll)) return undefined;
  return {
    render(run) {
      const now = text.render(run);
      if (!now.ok) return now;
      const labels = poll?.(run);
      if (labels?.ok === false) return labels;
      const value = {
        ...now.value,
        ...(media && { media }),
        ...(labels && { poll: labels.value }),
      };
      return { ok: true, value };
    },
  };
}

/** Compiles the path of a file. Files are read together with the rules, so a path can't depend on the event. */
function compileMedia(context: StepContext, path: Path, written: string): string | undefined {
  if (written.includes("${{")) {
    const message = "which file is sent can't depend on the event";
    const help = "write its path; one of several goes with  if:";
    return context.report(path, { code: "media-file", message, help });
  }
  return context.sharedMedia(path, written);
}
