import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";
import { counted } from "../../text/counted.ts";

/** Line of `status` about missed events that the bot is catching up on; undefined if there are none. */
export function catchupLine(catchup: RuntimeStatus["catchup"]): string | undefined {
  const { gaps, since, replay, noReplay } = catchup;
  const parts = [
    ...(since === undefined ? [] : [`${counted(gaps, "gap")} open, the oldest since ${since}`]),
    ...(replay === undefined
      ? []
      : [
          replay.state === "running"
            ? `replay of ${replay.from} to ${replay.to} under way`
            : `replay of ${replay.from} to ${replay.to} is asked for again: ${replay.reason}`,
        ]),
    ...(noReplay === undefined ? [] : [`no replay: ${noReplay}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}
