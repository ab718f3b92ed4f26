import type { Sandbox } from "../kernel/sandbox.ts";
import { dispatch } from "./deliver.ts";
import { activities, type Activity, type ActivityKind, subscriptions } from "./entities.ts";

/** Something a user did, before it is known who is to be told. */
export interface Happening {
  readonly kind: ActivityKind;
  readonly by: string;
  readonly to?: string | undefined;
  readonly ref?: string | undefined;
  /** Users whose subscriptions tell of it; each is told once a webhook. */
  readonly involved: readonly string[];
}

/**
 * Tells every subscription of the users involved, and keeps the fact so that a replay can tell again.
 *
 * @returns the activity's id.
 */
export function emit(sandbox: Sandbox, happening: Happening): string {
  const { world } = sandbox;
  const table = subscriptions.in(world);
  const people = new Set(happening.involved);
  const lanes = [...people].flatMap((id) =>
    table.where("user", id).map((subscription) => `${subscription.webhookId}:${id}`),
  );
  return record(sandbox, happening, lanes);
}

/** Tells given lanes only. */
export function emitTo(
  sandbox: Sandbox,
  happening: Omit<Happening, "involved">,
  lanes: readonly string[],
): string {
  return record(sandbox, happening, lanes);
}

function record(
  sandbox: Sandbox,
  { kind, by, to, ref }: Omit<Happening, "involved">,
  lanes: readonly string[],
): string {
  const activity: Activity = {
    id: sandbox.world.ids.next(),
    kind,
    at: sandbox.time.now(),
    by,
    ...(to === undefined ? {} : { to }),
    ...(ref === undefined ? {} : { ref }),
    lanes: [...lanes],
  };
  sandbox.feed.tell("activity", activity);
  if (lanes.length > 0) {
    activities.in(sandbox.world).put(activity);
    dispatch(sandbox, activity);
  }
  return activity.id;
}
