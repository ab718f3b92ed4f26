import * as z from "zod";
import { controlInput, OWN } from "../server/control-input.ts";
import type { DeliveryRecord } from "../kernel/delivery/delivery-log.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Route, RouteResponse } from "../server/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { activities } from "../model/activity.ts";
import { attempt, type EventDelivery } from "./attempt.ts";
import { deliveryFor } from "./deliver.ts";

/** Maximum number of deliveries that one request can repeat. */
const MAX_DELIVERIES = 1_000;

const againInput = z.strictObject({
  deliveries: z
    .array(z.int().min(1))
    .min(1)
    .max(MAX_DELIVERIES)
    .describe("Numbers of earlier deliveries, in the order in which to send them again."),
  times: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe("Number of times to send each delivery, one after the other."),
});

/** Route that sends earlier deliveries again. */
export const againRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/_sandbox/deliveries",
    ...OWN,
    handle: (call) => deliverAgain(call.sandbox, controlInput(call, againInput)),
  },
];

/** Queues the deliveries in order per webhook. Faults apply as on a first attempt; failures are not retried. */
function deliverAgain(
  sandbox: Sandbox,
  { deliveries, times }: z.output<typeof againInput>,
): RouteResponse {
  const recordsBySeq = new Map(sandbox.deliveries.after(0).map((one) => [one.seq, one]));
  const requestedRecords = deliveries.map((seq) => {
    const record = recordsBySeq.get(seq);
    if (record !== undefined && eventOf(sandbox, record) !== undefined) return record;
    const message =
      record?.activity_id === null
        ? `Delivery ${seq} tells of no event: only events are delivered again.`
        : `What delivery ${seq} told of is not kept any more, or there was none.`;
    throw ApiError.control(409, "not_kept", message);
  });
  for (const record of requestedRecords) {
    for (let count = 0; count < times; count += 1) {
      sandbox.lanes.add(`again:${record.webhook_id}`, async () => {
        const event = eventOf(sandbox, record);
        if (event !== undefined) await attempt(sandbox, event, 1);
      });
    }
  }
  return { body: { queued: requestedRecords.length * times } };
}

/** Renders a recorded delivery again from the current world, for the same webhook and account. */
function eventOf(
  sandbox: Sandbox,
  { activity_id: id, webhook_id, event, for_user_id }: DeliveryRecord,
): EventDelivery | undefined {
  const activity = activities.in(sandbox.world).get(id ?? "");
  return activity?.lanes
    .map((lane) => deliveryFor(sandbox, activity, lane, false))
    .find(
      (one) =>
        one?.webhook.id === webhook_id && one.event === event && one.forUserId === for_user_id,
    );
}
