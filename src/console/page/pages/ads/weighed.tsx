import type { ShownEngagement } from "../../../../sandbox/control/objects.ts";
import { Chip } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";

interface WeighedProps {
  readonly weighed: readonly ShownEngagement[];
  /** Time of the conversion, in milliseconds since the epoch. */
  readonly conversion: number;
}

/**
 * Draws engagements (clicks and views) with their attribution windows. States for each why the conversion is attributed
 * to it, or why not.
 */
export function Weighed({ weighed, conversion }: WeighedProps) {
  const first = Math.min(conversion, ...weighed.map(({ at }) => at));
  const last = Math.max(conversion, ...weighed.map(({ at, counts_until: to }) => to ?? at));
  const x = (at: number): number => 2 + ((at - first) / Math.max(1, last - first)) * 96;
  return (
    <>
      <ol class="ads-weighed" aria-label="Engagements, and why each won or lost">
        {weighed
          .toSorted((one, other) => one.at - other.at)
          .map(({ id, type, at, counts_until: until, campaignName, wins, why }) => (
            <li key={id} class={wins ? "wins" : ""}>
              <Chip tone={wins ? "good" : "idle"}>{wins ? "wins" : "loses"}</Chip>{" "}
              {type.toLowerCase()} <Time at={at} withDate />
              {campaignName !== null && `, ${campaignName}`}: {why}.
              <div class="ads-track" aria-hidden="true">
                {until !== null && (
                  <i class="window" style={{ left: `${x(at)}%`, width: `${x(until) - x(at)}%` }} />
                )}
                <i class={`mark ${type}`} style={{ left: `${x(at)}%` }} />
                <i class="conversion" style={{ left: `${x(conversion)}%` }} />
              </div>
            </li>
          ))}
      </ol>
      <p class="ads-axis soft" aria-hidden="true">
        <Time at={first} withDate />
        <Time at={last} withDate />
        <span>Bar: while it counts. Dashed: the conversion.</span>
      </p>
    </>
  );
}
