import type { PublicAction } from "../../../actions/parts.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { StepContext } from "../step-context.ts";
import type { Evaluated } from "../../expression/expression.ts";
import type { StepRun } from "../../run/step.ts";
import { broughtIn } from "./third-parties.ts";
import { mapOf, type Said, type SaidText, type SaidTextNow } from "./said-text.ts";

/** The text that a step says, and the path of the picture or video that goes with it, from the rule file on. */
export interface SaidNow extends SaidTextNow {
  readonly media?: string;
}

/** What a step says, with the picture or video that goes with it; ready to be filled in. */
export interface SaidWithMedia {
  readonly render: (run: StepRun) => Evaluated<SaidNow>;
}

/** Members of an action that says something. */
interface Spoken {
  readonly text: string;
  /** Absolute path. */
  readonly media?: string;
}

/** Members of an action that says something in public. */
type Published = Spoken & Pick<PublicAction, "long" | "brought" | "thirdParties">;

/** Members of an action with what a step says in private. */
export function sentPrivately({ text, media }: SaidNow): Spoken {
  return { text, ...(media === undefined ? {} : { media }) };
}

/**
 * Members of an action with what a step publishes.
 *
 * @param said As the rule file has it: it may say what happens to long texts, and to mentions and links of others.
 * @param answered Handle of the person who is answered; none, where the text answers nobody.
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

/** Adds what goes with `text`, which the step at `path` says. */
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

/** A file is looked at when the rules are read: which one can't depend on the event. */
function compileMedia(context: StepContext, path: Path, written: string): string | undefined {
  if (written.includes("${{")) {
    const message = "which file is sent can't depend on the event";
    const help = "write its path; one of several goes with  if:";
    return context.report(path, { code: "media-file", message, help });
  }
  return context.sharedMedia(path, written);
}
