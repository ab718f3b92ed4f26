import type { LiveCost as Cost } from "../../../../sandbox/control/objects.ts";
import { Empty } from "../../parts/states.tsx";
import { LimitGauge } from "./limit-gauge.tsx";

interface LiveCostProps {
  readonly cost: Cost;
  readonly handles: ReadonlyMap<string, string>;
}

/** Compares the requests of the last hour with the limits of the live platform, if the sandbox enforces none. */
export function LiveCost({ cost: { requests }, handles }: LiveCostProps) {
  return (
    <>
      <p class="soft">
        Limits are off in this sandbox: answerback dev --limits turns them on. What this hour would
        have used of the limits on the live platform:
      </p>
      {requests.length === 0 ? (
        <Empty>No request counted against a limit.</Empty>
      ) : (
        <ul class="outbox-gauges">
          {requests.map(({ endpoint, by, who, window_ms: windowMs, limit, most, over }) => (
            <LimitGauge
              key={`${endpoint} ${by} ${who} ${windowMs}`}
              endpoint={endpoint}
              whose={by === "app" ? "the app" : `@${handles.get(who) ?? who}`}
              windowMs={windowMs}
              remainingShare={Math.max(0, 1 - most / limit)}
              filled={Math.min(1, most / limit)}
              text={`${most} of ${limit} used${over > 0 ? `, ${over} over` : ""}`}
            />
          ))}
        </ul>
      )}
    </>
  );
}
