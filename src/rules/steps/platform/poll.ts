import type { ActionOf } from "../../../actions/actions.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { POLL_LIMITS } from "../../../protocol/post-options.ts";
import { durationMs } from "../../../system/duration.ts";
import type { Evaluated } from "../../expression/expression.ts";
import { sendable } from "../../expression/seen-text.ts";
import { WITH_EXPRESSION } from "../../schema/pieces.ts";
import type { StepRun } from "../../run/step.ts";
import type { StepContext } from "../step-context.ts";
import { shownText } from "../written/written-text.ts";
import { missing } from "./action-step.ts";
import type { WrittenPoll } from "./said-text.ts";

/** Poll of a post, in the form that an action contains. */
export type PostedPoll = NonNullable<ActionOf<"create_post">["poll"]>;

/** Compiled poll of a step: renders the labels for a run. */
export type PollTemplate = (run: StepRun) => Evaluated<PostedPoll>;

const CODE = "poll-value";
const MINUTE_MS = 60_000;

/** Compiles the poll at `path`. A label with an expression is measured when the step runs. */
export function compilePoll(
  context: StepContext,
  path: Path,
  { options, duration }: WrittenPoll,
): PollTemplate | undefined {
  const durationMinutes = durationMs(duration) / MINUTE_MS;
  const { min, max } = POLL_LIMITS.minutes;
  if (!Number.isInteger(durationMinutes) || durationMinutes < min || durationMinutes > max) {
    const message = `a poll can't last ${duration}: it lasts 5m to 7d, in whole minutes`;
    const help = 'write a duration such as "1d"';
    return context.report([...path, "duration"], { code: CODE, message, help });
  }
  const templates = options.flatMap((label, index) => {
    const at = [...path, "options", index];
    const mistake = WITH_EXPRESSION.test(label) ? undefined : labelMistake(label.trim());
    if (mistake !== undefined) {
      const help = "shorten the label; the text above the poll may say more";
      return context.report(at, { code: CODE, message: mistake, help }) ?? [];
    }
    return shownText(context, at) ?? [];
  });
  if (templates.length < options.length) return undefined;
  return ({ view }) => {
    const labels: string[] = [];
    for (const template of templates) {
      const rendered = template.render(view);
      if (!rendered.ok) return rendered;
      const label = sendable(rendered.value).trim();
      const mistake = labelMistake(label);
      if (mistake !== undefined) return missing(mistake);
      labels.push(label);
    }
    return { ok: true, value: { options: labels, durationMinutes } };
  };
}

/**
 * Reports a label of the wrong length. No source states how the platform counts an emoji. So the length is in UTF-16
 * units, and an emoji has two or more. A wide letter is one character, unlike in the text of a post.
 */
function labelMistake(label: string): string | undefined {
  const { min, max } = POLL_LIMITS.label;
  if (label.length < min) return "an option of the poll is empty";
  if (label.length <= max) return undefined;
  const why = Array.from(label).length > max ? "" : ", as an emoji counts as 2 or more";
  return `the poll's option "${label}" has ${label.length} characters${why} (limit ${max})`;
}
