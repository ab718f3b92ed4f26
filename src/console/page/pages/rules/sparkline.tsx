import { counted } from "../../../../text/counted.ts";
const HEIGHT = 20;
const STEP = 2;

/** Draws a bar chart with one bar for each count in `points`, oldest on the left. */
export function Sparkline({ points, name }: { points: readonly number[]; name: string }) {
  const most = Math.max(...points, 1);
  const all = points.reduce((sum, one) => sum + one, 0);
  const words =
    all === 0
      ? `${name} has not run`
      : `${name} ran ${counted(all, "time")}, at most ${most} at a time`;
  return (
    <svg
      class="sparkline"
      role="img"
      aria-label={words}
      width={points.length * STEP}
      height={HEIGHT}
    >
      <title>{words}</title>
      <line x1="0" x2={points.length * STEP} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {points.map((count, at) =>
        count === 0 ? null : (
          <rect
            key={at}
            x={at * STEP}
            y={HEIGHT - Math.max(2, (count / most) * HEIGHT)}
            width={STEP - 0.4}
            height={Math.max(2, (count / most) * HEIGHT)}
          />
        ),
      )}
    </svg>
  );
}
