import { useRef } from "preact/hooks";
import { replayReach } from "../../../../runtime/records.ts";
import { duration } from "../../parts/duration.ts";
import {
  CELL_MS,
  type CellState,
  shownState,
  CELLS,
  type CoverageAccount,
  runsOf,
  STATE_WORDS,
  stripStart,
} from "./cells.ts";
import { shortTime, type PickedTime } from "./stretch.ts";

const CELL = 10;
const WIDTH = CELLS * CELL;
const TOP = 22;
const HEIGHT = 30;
const HOUR_MS = 3_600_000;

interface StripProps {
  readonly account: CoverageAccount;
  /** Current time by the platform's clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly selected: PickedTime | undefined;
  readonly onSelect: (stretch: PickedTime) => void;
}

/**
 * Shows the coverage of one account over a day, in quarters of an hour. A person can drag to select the period of a
 * replay.
 */
export function Strip({ account, now, selected, onSelect }: StripProps) {
  const start = stripStart(now);
  const begun = useRef<number>(undefined);
  const xOf = (at: number): number => Math.min(WIDTH, Math.max(0, ((at - start) / CELL_MS) * CELL));
  const cellAt = (event: PointerEvent): number => {
    const box =
      event.currentTarget instanceof Element && event.currentTarget.getBoundingClientRect();
    if (!box) return 0;
    const part = (event.clientX - box.left) / box.width;
    return Math.min(CELLS - 1, Math.max(0, Math.floor(part * CELLS)));
  };
  const drag = (event: PointerEvent): void => {
    if (begun.current === undefined) return;
    const [first, last] = [begun.current, cellAt(event)].toSorted((a, b) => a - b);
    if (first === undefined || last === undefined) return;
    onSelect({ from: start + first * CELL_MS, to: start + (last + 1) * CELL_MS });
  };
  const { oldest, latestTo } = replayReach(now);
  return (
    <svg
      class="delivery-strip"
      viewBox={`0 0 ${WIDTH} ${TOP + HEIGHT + 22}`}
      role="img"
      aria-label={sentenceOf(account)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        begun.current = cellAt(event);
        drag(event);
      }}
      onPointerMove={drag}
      onPointerUp={() => (begun.current = undefined)}
      onPointerCancel={() => (begun.current = undefined)}
    >
      <path class="reach" d={`M${xOf(oldest)} 16V9H${xOf(latestTo)}V16`} />
      <text class="reach" x={(xOf(oldest) + xOf(latestTo)) / 2} y="13">
        can be replayed
      </text>
      <Cells account={account} start={start} />
      {selected !== undefined && (
        <rect
          class="chosen"
          x={xOf(selected.from)}
          y={TOP - 4}
          width={Math.max(0, xOf(selected.to) - xOf(selected.from))}
          height={HEIGHT + 8}
        />
      )}
      {hoursIn(start).map((at) => (
        <text key={at} class="hour" x={xOf(at)} y={TOP + HEIGHT + 17}>
          {shortTime(at)}
        </text>
      ))}
      <path class="now" d={`M${xOf(now)} ${TOP - 6}V${TOP + HEIGHT + 4}`} />
    </svg>
  );
}

/** Draws the strip: quarters of an hour in the pattern of their coverage state, and labels on missed periods. */
function Cells({ account, start }: { account: CoverageAccount; start: number }) {
  const runs = runsOf(account.spans, start);
  return (
    <>
      {runs.map(({ from, to, state }) => (
        <rect
          key={from}
          x={from * CELL}
          y={TOP}
          width={(to - from) * CELL}
          height={HEIGHT}
          class={state}
        >
          <title>
            {`${shortTime(start + from * CELL_MS)} to ${shortTime(start + to * CELL_MS)}: ${STATE_WORDS[state]}`}
          </title>
        </rect>
      ))}
      <path class="cells" d={cellLines()} />
      {runs
        .filter(({ state }) => state === "missing" || state === "lost")
        .map(({ from, to, state }) => (
          <text key={from} class={`word ${state}`} x={((from + to) / 2) * CELL} y={TOP + 20}>
            {to - from > 6 ? (state === "lost" ? "lost" : "missed") : "×"}
          </text>
        ))}
    </>
  );
}

function cellLines(): string {
  return Array.from({ length: CELLS }, (_, cell) => `M${cell * CELL} ${TOP}v${HEIGHT}`).join("");
}

/** Returns the hours to label on a strip, every three hours in local time: 0:00, 3:00, 6:00, and so on. */
function hoursIn(start: number): readonly number[] {
  const first = Math.ceil(start / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 24 }, (_, hour) => first + hour * HOUR_MS).filter(
    (at) => new Date(at).getHours() % 3 === 0 && at - start > HOUR_MS / 2,
  );
}

/** Describes the coverage: `@ana in 24 hours: 21 h delivered, 2 h missed, recoverable`. */
function sentenceOf({ username, spans }: CoverageAccount): string {
  const sums = new Map<CellState, number>();
  for (const span of spans) {
    const state = shownState(span);
    sums.set(state, (sums.get(state) ?? 0) + span.to - span.from);
  }
  const parts = [...sums].map(([state, ms]) => `${duration(ms)} ${STATE_WORDS[state]}`);
  return `@${username} in 24 hours: ${parts.join(", ")}`;
}
