import { useState } from "preact/hooks";
import { Exchange } from "../../parts/exchange.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import type { Sequence } from "../../../operations/sequence.ts";

type SequenceRow = Sequence["rows"][number];

/** Participants of the diagram, from left to right. */
const LIFELINES = ["Person", "Platform", "Bot"] as const;
/** Horizontal position of each participant's line, in percent of the diagram's width. */
const AT = [8, 50, 92] as const;

/**
 * Draws the sequence of an event as arrows between person, platform and bot, from top to bottom. A row with an HTTP
 * exchange can be opened.
 */
export function SequenceChart({ rows }: { rows: readonly SequenceRow[] }) {
  const [open, setOpen] = useState<string>();
  return (
    <div class="sequence">
      <div class="sequence-heads" aria-hidden="true">
        {LIFELINES.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol aria-label="What happened, in order">
        {rows.map((row) => (
          <li key={row.id} class={`sequence-row ${row.tone}`}>
            <Lifelines />
            {row.isWait === true ? (
              <p class="sequence-torn">
                <Torn />{" "}
                {/^\d+$/.test(row.label) ? `${duration(Number(row.label))} go by` : row.label}
                {row.second !== undefined && `, ${row.second}`}
              </p>
            ) : (
              <Step
                row={row}
                isOpen={open === row.id}
                toggle={() => setOpen((last) => (last === row.id ? undefined : row.id))}
              />
            )}
            {open === row.id && row.exchange !== undefined && <Exchange seq={row.exchange} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface StepProps {
  readonly row: SequenceRow;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}

function Step({ row, isOpen, toggle }: StepProps) {
  const { from, to, label, second, part, at, exchange, tone } = row;
  const words = (
    <>
      <span class="hidden-text">
        {from === to ? `${LIFELINES[from]}: ` : `${LIFELINES[from]} to ${LIFELINES[to]}: `}
      </span>
      <span class="sequence-label">{label}</span>
      <small>
        {part !== undefined && <span class="sequence-part">{part}</span>}
        {second}
        {at !== undefined && (
          <>
            {second !== undefined && " · "}
            <Time at={at} />
          </>
        )}
        {exchange !== undefined && <span class="sequence-more"> {isOpen ? "close" : "show"}</span>}
      </small>
    </>
  );
  const side = from === to ? `at-${from}` : `between-${Math.min(from, to)}`;
  return (
    <>
      {from !== to && <Arrow from={from} to={to} isCrossed={tone === "bad"} />}
      {exchange === undefined ? (
        <p class={`sequence-words ${side}`}>{words}</p>
      ) : (
        <button
          type="button"
          class={`sequence-words ${side}`}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {words}
        </button>
      )}
    </>
  );
}

function Lifelines() {
  return (
    <svg class="sequence-lines" aria-hidden="true">
      {AT.map((x) => (
        <line key={x} x1={`${x}%`} x2={`${x}%`} y1="0" y2="100%" />
      ))}
    </svg>
  );
}

/** Draws an arrow. The arrow of a failed exchange is crossed out. */
function Arrow({ from, to, isCrossed }: { from: 0 | 1 | 2; to: 0 | 1 | 2; isCrossed: boolean }) {
  const [x1, x2] = [AT[from], AT[to]];
  const goesRight = x2 > x1;
  return (
    <svg class="sequence-arrow" aria-hidden="true">
      <line x1={`${x1}%`} x2={`${x2}%`} y1="8" y2="8" />
      <svg x={`${x2}%`} y="8" overflow="visible">
        <path d={goesRight ? "M-9 -5L0 0L-9 5" : "M9 -5L0 0L9 5"} />
      </svg>
      {isCrossed && (
        <svg x={`${(x1 + x2) / 2}%`} y="8" overflow="visible">
          <path class="cross" d="M-6 -6L6 6M6 -6L-6 6" />
        </svg>
      )}
    </svg>
  );
}

function Torn() {
  return (
    <svg width="34" height="12" aria-hidden="true">
      <path d="M1 4l5 4l5 -4l5 4l5 -4l5 4l5 -4" />
    </svg>
  );
}
