import type { Trace, TraceRun } from "../../../../insight/traces/trace.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

/** Shows each run with its steps and waits. */
export function Steps({ trace }: { trace: Trace }) {
  if (trace.runs.length === 0) return <Empty>It started no rule and no bot.</Empty>;
  return (
    <div class="stack">
      {trace.runs.map((run) => (
        <Run key={run.id} run={run} trace={trace} />
      ))}
    </div>
  );
}

function Run({ run, trace }: { run: TraceRun; trace: Trace }) {
  const { id, rule, bot, branch, inWords, steps, conditions, waitsFor, ruleChanged } = run;
  const begin = trace.times.arrived;
  const ends = steps.flatMap(({ endedAt }) => endedAt ?? []);
  const lastEnd = Math.max(begin, ...ends);
  const settled = trace.items.flatMap(({ settledAt }) => settledAt ?? []);
  const end = Math.max(begin + 1, lastEnd, ...settled, ...waitsFor.map(({ until = 0 }) => until));
  return (
    <section class="card">
      <h2>
        {rule === undefined ? `Bot ${bot ?? ""}` : `Rule ${rule}`}
        {branch !== undefined && `, branch ${branch.name}`}
      </h2>
      <p>
        {inWords} <span class="mono soft">{id}</span>
      </p>
      {ruleChanged && <p class="notice warn">The rule has changed since, or was removed.</p>}
      <ol class="traces-steps">
        {steps.map(({ label, verb, at, state, result, error, startedAt, endedAt, items }) => (
          <li key={label}>
            <Chip tone={state === "ok" ? "good" : state === "failed" ? "bad" : "info"}>
              {state}
            </Chip>{" "}
            <strong>{verb ?? label}</strong>{" "}
            <span class="mono soft">{at === undefined ? label : `${at.file}:${at.line}`}</span>
            <Bar begin={begin} end={end} from={startedAt} to={endedAt} />
            {error !== undefined && <p>{error.message}</p>}
            {result !== undefined && result !== null && (
              <p class="mono">{JSON.stringify(result)}</p>
            )}
            {items.map((item) => (
              <a key={item} href={`/outbox/${item}`}>
                item {item}{" "}
              </a>
            ))}
          </li>
        ))}
        {conditions.map(({ label, holds, inWords: conditionText }) => (
          <li key={`${label} condition`}>
            <Chip tone="info">{String(holds)}</Chip> <span class="mono">{conditionText}</span>{" "}
            <span class="mono soft">{label}</span>
          </li>
        ))}
        {waitsFor.map(({ for: what, name, until }) => (
          <li key={name}>
            <Chip tone="info">waits</Chip> for {what}{" "}
            {trace.items.find(({ key }) => key === name)?.id ?? name}
            {until !== undefined && (
              <>
                {" "}
                until <Time at={until} withDate />
                <Bar begin={begin} end={end} from={lastEnd} to={until} />
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const WIDTH = 240;

interface BarProps {
  /** Time scale of a run's bars: `begin` is the event's arrival, `end` the end of the last step, wait or item. */
  readonly begin: number;
  readonly end: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Shows the time of a step or a wait as a bar. */
function Bar({ begin, end, from, to }: BarProps) {
  if (from === undefined) return null;
  const scale = WIDTH / (end - begin);
  const x = Math.min(WIDTH - 3, Math.max(0, (from - begin) * scale));
  const width = Math.max(3, Math.min(WIDTH - x, ((to ?? end) - from) * scale));
  return (
    <svg class="traces-waterfall" viewBox={`0 0 ${WIDTH} 8`} aria-hidden="true">
      <rect class="rail" width={WIDTH} height="8" rx="2" />
      <rect x={x} width={width} height="8" rx="2" />
    </svg>
  );
}
