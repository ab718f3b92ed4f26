import { type DeliveryAttempt, isTaken } from "./rows.ts";

const STEP = 16;

/** Shows a sign for each attempt: a dot if it was accepted, a cross if it failed, a ring if it got no response. */
export function AttemptDots({ attempts }: { attempts: readonly DeliveryAttempt[] }) {
  const words = attempts.map((one) => `${one.attempt}: ${wordOf(one)}`).join("; ");
  return (
    <svg
      class="dots"
      role="img"
      aria-label={`Attempts: ${words}`}
      width={Math.max(1, attempts.length) * STEP}
      height={STEP}
    >
      <title>{words}</title>
      {attempts.map((one, at) => {
        const x = at * STEP + STEP / 2;
        const y = STEP / 2;
        if (isTaken(one)) return <circle key={one.seq} class="taken" cx={x} cy={y} r="4.5" />;
        if (one.status === 0) return <circle key={one.seq} class="astray" cx={x} cy={y} r="4" />;
        return <path key={one.seq} class="failed" d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />;
      })}
    </svg>
  );
}

function wordOf({ status, outcome }: DeliveryAttempt): string {
  return status === 0 ? outcome : `${outcome}, status ${status}`;
}
