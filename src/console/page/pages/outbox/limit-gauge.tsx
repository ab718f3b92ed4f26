import { duration } from "../../parts/duration.ts";

interface LimitGaugeProps {
  readonly endpoint: string;
  /** Owner of the limit: the text `the app`, or an account's handle with `@`. */
  readonly whose: string;
  readonly windowMs: number;
  /** Remaining part of the limit, from 0 to 1. */
  readonly remainingShare: number;
  /** Length of the bar, from 0 to 1, if it shows something other than the remaining part. Default: `remainingShare`. */
  readonly filled?: number;
  readonly text: string;
}

const WIDTH = 120;

/** Shows one rate limit as a bar with its numbers. */
export function LimitGauge({
  endpoint,
  whose,
  windowMs,
  remainingShare,
  filled = remainingShare,
  text,
}: LimitGaugeProps) {
  const look = remainingShare === 0 ? "bad" : remainingShare < 0.25 ? "warn" : "good";
  return (
    <li>
      <code>
        {endpoint.split(/(?=\/)/).map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </code>
      <span class="soft">
        {whose}, in {duration(windowMs)}
      </span>
      <svg viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true" class={look}>
        <rect width={WIDTH} height="10" rx="5" class="rail" />
        <rect width={WIDTH * filled} height="10" rx="5" />
      </svg>
      <span>{text}</span>
    </li>
  );
}
