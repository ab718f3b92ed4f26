import type { PortalUsage } from "../../../../sandbox/control/objects.ts";
import { useSandbox } from "../../asking/use-asked.ts";
import { Empty, Shown } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import { Gauge } from "./gauge.tsx";
import { type AppPartProps, concernsPortal } from "./portal-parts.ts";

/** Shows how many posts the app has received this month, and the rate limits that the app and its people have used. */
export function Usage({ app }: AppPartProps) {
  const answer = useSandbox<PortalUsage>(
    `/apps/${app.app_id}/usage`,
    (batch) => concernsPortal(batch) || batch.sandbox.some(({ type }) => type === "clock"),
  );
  return (
    <Shown answer={answer}>
      {({ enabled, posts, limits }) => (
        <>
          <Gauge
            label="Posts received, all apps of the project"
            used={posts.used}
            limit={posts.cap}
            after={
              <>
                this month, reset at <Time at={posts.resets_at} withDate />
              </>
            }
          />
          {limits.length === 0 ? (
            <Empty>
              {enabled
                ? "No limit is used at the moment."
                : "Rate limits are turned off in this sandbox."}
            </Empty>
          ) : (
            limits.map(({ endpoint, username, window_ms, limit, used, resets_at }) => (
              <Gauge
                key={`${endpoint} ${username ?? ""} ${window_ms}`}
                label={`${endpoint}, ${username === undefined ? "the app" : `@${username}`}`}
                used={used}
                limit={limit}
                after={
                  <>
                    in {duration(window_ms)}, full again at <Time at={resets_at} withDate />
                  </>
                }
              />
            ))
          )}
        </>
      )}
    </Shown>
  );
}
