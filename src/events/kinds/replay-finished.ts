import type { ReplayFinishedEvent } from "../event.ts";
import { flag, maybe, text } from "../fields.ts";
import { withoutGaps } from "../person.ts";
import { idAt, textAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const replayFinished: EventKind<ReplayFinishedEvent> = {
  wire: { keys: ["replay_job_status"], read },
  fields: {
    "replay.webhook_id": text((event) => event.webhookId),
    "replay.job_id": text((event) => event.jobId),
    "replay.complete": flag((event) => event.complete),
    "replay.description": maybe(text((event) => event.description)),
  },
  counterpart: () => undefined,
};

/** Reads the end of a replay job. Leaves `accountId` empty, because the event belongs to the webhook. */
function read(element: Wire, { arrivedAt }: Delivery): ReplayFinishedEvent | undefined {
  const jobId = idAt(element, "job_id");
  const webhookId = idAt(element, "webhook_id");
  const state = textAt(element, "job_state");
  if (jobId === undefined || webhookId === undefined || state === undefined) return undefined;
  return withoutGaps({
    kind: "replay_finished" as const,
    key: `replay:${jobId}:${state}`,
    accountId: "",
    at: arrivedAt,
    direction: "inbound" as const,
    lane: `/replay-${webhookId}`,
    triggers: ["replay.finished" as const],
    webhookId,
    jobId,
    complete: state === "Complete",
    description: textAt(element, "job_state_description"),
  });
}
