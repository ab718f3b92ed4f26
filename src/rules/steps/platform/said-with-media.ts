import type * as z from "zod";
import type { Path } from "../../../config/yaml-document.ts";
import type { CompileContext } from "../../compile/compile-context.ts";
import type { Evaluated } from "../../compile/expression.ts";
import type { StepRun } from "../../run/step.ts";
import type { Said, saidText } from "./said-text.ts";

/** What is said: a text, and the path of what goes with it, from the rule file on. */
export interface SaidNow {
  readonly text: string;
  readonly media?: string;
}

/** What a step says, with the picture or video that goes with it; ready to be filled in. */
export interface SaidWithMedia {
  readonly render: (run: StepRun) => Evaluated<SaidNow>;
}

/** Adds what goes with `text`, which the step at `path` says. */
export function withMedia(
  context: CompileContext,
  path: Path,
  said: z.infer<typeof saidText>,
  text: Said | undefined,
): SaidWithMedia | undefined {
  if (typeof said === "string" || said.media === undefined) return text && joined(text, {});
  const media = compileMedia(context, [...path, "media"], said.media);
  return text === undefined || media === undefined ? undefined : joined(text, { media });
}

function joined({ render }: Said, media: Pick<SaidNow, "media">): SaidWithMedia {
  return {
    render(run) {
      const text = render(run);
      return text.ok ? { ok: true, value: { text: text.value, ...media } } : text;
    },
  };
}

/** A file is looked at when the rules are read: which one can't depend on the event. */
function compileMedia(context: CompileContext, path: Path, written: string): string | undefined {
  if (written.includes("${{")) {
    const message = "which file is sent can't depend on the event";
    const help = "write its path; one of several goes with  if:";
    return context.report(path, { code: "media-file", message, help });
  }
  const looked = context.shared.media(written);
  if ("mistake" in looked) return context.report(path, looked.mistake);
  if ("problems" in looked) return undefined;
  context.brings(looked.brought);
  return looked.value;
}
