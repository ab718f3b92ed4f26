import { useEffect, useState } from "preact/hooks";
import { sandbox } from "../asking/api.ts";
import { type ClockNews, showClock } from "../parts/clock.ts";
import { notify } from "../parts/toasts.tsx";

const SPEEDS = [1, 10, 60];
const TICK_MS = 1_000;

/** Speeds up the sandbox's clock while this page is open. */
export function Speed({ mayChange }: { readonly mayChange: boolean }) {
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    if (speed === 1) return;
    const ahead = { advance_ms: (speed - 1) * TICK_MS };
    const timer = setInterval(() => {
      void notify(sandbox.post<ClockNews>("/clock", ahead)).then((clock) =>
        clock === undefined ? setSpeed(1) : showClock(clock),
      );
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [speed]);
  return (
    <select
      aria-label="Speed of the clock, while this page is open"
      disabled={!mayChange}
      value={speed}
      onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value))}
    >
      {SPEEDS.map((one) => (
        <option key={one} value={one}>
          ×{one}
        </option>
      ))}
    </select>
  );
}
