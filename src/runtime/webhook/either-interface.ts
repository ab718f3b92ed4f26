import { activityDeliveries } from "../../events/read/activity-delivery.ts";
import type { ActivityReading } from "../../events/read/activity-post.ts";
import type { Append, Source } from "../source.ts";

/**
 * A source whose deliveries may be of account activity or of the activity interface: what the latter tells goes on as the
 * former would have told it, so that the same event has the same key, whichever brought it first.
 */
export function inEitherShape<Status extends object>(
  source: Source<Status>,
  reading: ActivityReading,
): Source<Status> {
  return {
    name: source.name,
    start: (append) => source.start(appendEither(append, reading)),
    status: () => source.status(),
    stop: () => source.stop(),
  };
}

function appendEither(append: Append, reading: ActivityReading): Append {
  return async (delivery, raw) => {
    const told = activityDeliveries(delivery, reading);
    if (told === undefined) return append(delivery, raw);
    let fresh = 0;
    for (const one of told) {
      fresh += await append(one, one === delivery ? raw : JSON.stringify(one));
    }
    return fresh;
  };
}
