import type { ComponentChildren } from "preact";

interface GaugeProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number;
  /** Text after the numbers, such as the time of the reset. */
  readonly after: ComponentChildren;
}

const WIDTH = 120;

/** Shows how much of a limit is used, as a bar. */
export function Gauge({ label, used, limit, after }: GaugeProps) {
  const part = limit === 0 ? 1 : Math.min(1, used / limit);
  const look = part >= 1 ? "bad" : part > 0.75 ? "warn" : "good";
  return (
    <div class="portal-gauge">
      <span>{label}</span>
      <svg viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true" class={look}>
        <rect width={WIDTH} height="10" rx="5" class="rail" />
        <rect width={WIDTH * part} height="10" rx="5" />
      </svg>
      <span>
        {used} of {limit} used{part >= 1 && ": none left"}
      </span>
      <span class="soft">{after}</span>
    </div>
  );
}
