import type { ShownEngagement } from "../../../../sandbox/control/objects.ts";

const WIDTH = 600;
const ROW = 22;

interface LineProps {
  readonly weighed: readonly ShownEngagement[];
  /** Milliseconds since the epoch. */
  readonly conversion: number;
}

/** Each engagement with the bar of time in which it counts, and the conversion as a line through them. */
export function TimeLine({ weighed, conversion }: LineProps) {
  const first = Math.min(conversion, ...weighed.map(({ at }) => at));
  const last = Math.max(conversion, ...weighed.map(({ at, counts_until: to }) => to ?? at));
  const x = (at: number): number => 10 + ((at - first) / Math.max(1, last - first)) * (WIDTH - 20);
  const words = weighed
    .map(({ type, wins, why }) => `${type.toLowerCase()} ${wins ? "wins" : "loses"}: ${why}`)
    .join("; ");
  const height = Math.max(1, weighed.length) * ROW + 8;
  return (
    <svg class="ads-line" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={words}>
      {weighed.map(({ id, at, counts_until: until, type, wins }, row) => {
        const y = row * ROW + ROW / 2 + 2;
        return (
          <g key={id} class={wins ? "wins" : ""}>
            {until !== null && (
              <rect
                class="window"
                x={x(at)}
                y={y - 6}
                width={Math.max(2, x(until) - x(at))}
                height="12"
                rx="3"
              />
            )}
            {type === "CLICK" ? (
              <circle cx={x(at)} cy={y} r="6" />
            ) : (
              <rect x={x(at) - 5} y={y - 5} width="10" height="10" />
            )}
            {wins && <path class="tick" d={`M${x(at) - 3} ${y}l2.5 2.5 4 -5`} />}
          </g>
        );
      })}
      <line class="conversion" x1={x(conversion)} x2={x(conversion)} y1="0" y2={height} />
    </svg>
  );
}
