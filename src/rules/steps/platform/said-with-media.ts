import type { PublicAction } from "../../../actions/parts.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { StepRun } from "../../run/step.ts";
import { broughtIn } from "./third-parties.ts";
import { mapOf, type Said, type SaidText, type SaidTextNow } from "./said-text.ts";

/** Text of a step for one run, and the path of the picture or video sent with it. */
export interface SaidNow extends SaidTextNow {
  readonly media?: string;
}

/** Compiled text of a step, with the picture or video sent with it. */
export interface SaidWithMedia {
  readonly render: (run: StepRun) => Evaluated<SaidNow>;
}

/** Members of an action that sends a text. */
interface Spoken {
  readonly text: string;
  /** Absolute path of the file. */
  readonly media?: string;
}

/** Members of an action that publishes a text. */
type Published = Spoken & Pick<PublicAction, "long" | "brought" | "thirdParties">;

/** Returns the members of an action for a private text. */
export function sentPrivately({ text, media }: SaidNow): Spoken {
  return { text, ...(media === undefined ? {} : { media }) };
}

/**
 * Returns the members of an action for a public text.
 *
 * @param said Text in the rule file. It may set the handling of long texts, and of mentions and links of other people.
 * @param answered Handle of the person who is answered; absent for a post that is not an answer.
 */
export function published(
  now: SaidNow,
  said: SaidText,
  run: StepRun,
  answered?: string,
): Published {
  const { long, third_parties: thirdParties } = mapOf(said) ?? NO_WISHES;
  const brought = broughtIn(now.template, run, now.text, answered);
  return {
    ...sentPrivately(now),
    ...(long === undefined ? {} : { long }),
    ...(brought.length === 0 ? {} : { brought }),
    ...(brought.length === 0 || thirdParties === undefined ? {} : { thirdParties }),
  };
}

const NO_WISHES: Pick<NonNullable<ReturnType<typeof mapOf>>, "long" | "third_parties"> = {};

/** Adds the picture or video of the step at `path` to `text`. */
export function withMedia(
  context: StepContext,
  path: Path,
  said: SaidText,
  text: Said | undefined,
): SaidWithMedia | undefined {
  const written = mapOf(said)?.media;
  if (written === undefined) return text && joined(text, {});
  const media = compileMedia(context, [...path, "media"], written);
  return text === undefined || media === undefined ? undefined : joined(text, { media });
}

function joined({ render }: Said, media: Pick<SaidNow, "media">): SaidWithMedia {
  return {
    render(run) {
      const text = render(run);
      return text.ok ? { ok: true, value: { ...text.value, ...media } } : text;
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
