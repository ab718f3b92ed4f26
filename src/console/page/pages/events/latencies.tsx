import { duration } from "../../parts/duration.ts";
import type { FeedRow } from "./rows.ts";

const POINTS = 60;
const HEIGHT = 24;

/** Shows the bot's response times to the latest deliveries, as one small chart for each kind of event. */
export function Latencies({ rows }: { rows: readonly FeedRow[] }) {
  const took = new Map<string, number[]>();
  for (const row of rows) {
    if (row.kind !== "delivery") continue;
    for (const { ms, status } of row.attempts) {
      if (status === 0) continue;
      const all = took.get(row.name) ?? [];
      if (all.length < POINTS) all.push(ms);
      took.set(row.name, all);
    }
  }
  if (took.size === 0) return null;
  return (
    <ul class="latencies" aria-label="How long deliveries took">
      {[...took].map(([name, all]) => {
        const most = Math.max(...all, 1);
        const points = all
          .toReversed()
          .map((ms, at) => `${at * 2 + 1},${HEIGHT - 2 - (ms / most) * (HEIGHT - 4)}`);
        const middle = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
        const words = `${name}: median ${duration(middle)}, at most ${duration(most)}`;
        return (
          <li key={name}>
            <svg role="img" aria-label={words} width={POINTS * 2} height={HEIGHT}>
              <polyline points={points.join(" ")} />
            </svg>
            <span class="soft">
              {name} {duration(middle)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
