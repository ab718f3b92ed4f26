import type { Path } from "../../../config/yaml-document.ts";
import { durationMs } from "../../../system/duration.ts";
import type { StepContext } from "../step-context.ts";

/** What the verbs have in common that wait for somebody. */

/** How long a step waits: there must be an end, or its run would wait for ever. */
export function withinMs(
  context: StepContext,
  path: Path,
  within: string | undefined,
): number | undefined {
  if (within !== undefined) return durationMs(within);
  const verb = String(path.at(-1));
  const message = `"${verb}" does not say how long it waits; the run would wait for ever`;
  const help = "add  within: 15m  and  on_timeout:";
  return context.report(path, { code: "wait-without-limit", message, help }, "key");
}
