import type { Clock } from "../clock/clock.ts";
import type { EscalationOperations } from "./handlers.ts";
import type { Log } from "../log.ts";
import type { RuntimeEvents } from "../runtime-events.ts";
import type { EscalationPort, Store } from "../store/store.ts";

export interface EscalationDeskNeeds {
  readonly store: EscalationPort & Pick<Store, "silences">;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<RuntimeEvents, "publish">;
}

/** Lists escalations, and marks them as resolved. */
export function escalationDesk({
  store,
  clock,
  log,
  events,
}: EscalationDeskNeeds): EscalationOperations {
  return {
    list: ({ state, ...query }) =>
      store.escalations(state === undefined ? query : { ...query, open: state === "open" }),
    async resolve(id) {
      const now = clock.now();
      const resolved = await store.resolveEscalation(id, now);
      if (resolved === undefined) {
        const hint = "list all hand-overs with: answerback escalations list --all";
        return { done: false, reason: `there is no hand-over ${id}`, hint };
      }
      const { account, lane, queue } = resolved.escalation;
      if (resolved.changed) {
        log.info({ escalation: id, queue, lane }, "escalation resolved");
        events.publish({ type: "escalation-resolved", data: { id, account, lane, queue } });
      }
      const silentBy = (await store.silences(lane))
        .filter(({ until = Infinity }) => until > now)
        .map((silence) => silence.id);
      return { done: true, ...resolved, ...(silentBy.length > 0 && { silentBy }) };
    },
  };
}
