import type { ComponentChildren } from "preact";

/** Rating of a state. Each tone has its own colour and icon. */
export type Tone = "good" | "bad" | "warn" | "info" | "idle";

const SIGNS: Readonly<Record<Tone, string>> = {
  good: "M3 8.5l3.2 3L13 4.8",
  bad: "M4 4l8 8M12 4l-8 8",
  warn: "M8 3v6M8 11.6v1",
  info: "M8 7v5M8 3.6v1",
  idle: "M4 8h8",
};

/** Shows a state as a short word with an icon. */
export function Chip({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`chip ${tone}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={SIGNS[tone]} />
      </svg>
      {children}
    </span>
  );
}
