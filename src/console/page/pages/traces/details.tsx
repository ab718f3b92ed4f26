import { useState } from "preact/hooks";
import type { ExchangeHead } from "../../../../sandbox/control/objects.ts";
import type { Trace, TraceVerdict } from "../../../../insight/traces/trace.ts";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Exchange } from "../../parts/exchange.tsx";
import { Place } from "../../parts/place.tsx";
import { Empty } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";

const TONES: Readonly<Record<TraceVerdict["outcome"], Tone>> = {
  ran: "good",
  skipped: "warn",
  no: "idle",
};

/** Lists the rules for this kind of event, each with its first failed condition, and the expected and actual value. */
export function Rules({ trace: { verdicts } }: { trace: Trace }) {
  if (verdicts.length === 0) return <Empty>No rule listens to such an event.</Empty>;
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Rules">
      <table>
        <thead>
          <tr>
            <th>Rule</th>
            <th>Result</th>
            <th>Clause</th>
            <th>Expected</th>
            <th>Found</th>
            <th>Where</th>
          </tr>
        </thead>
        <tbody>
          {verdicts.map(({ ruleId, outcome, reason, clause, at, inWords }) => (
            <tr key={ruleId}>
              <td class="nowrap">
                <a href={`/rules/${encodeURIComponent(ruleId)}`}>{ruleId}</a>
              </td>
              <td>
                <Chip tone={TONES[outcome]}>{outcome === "ran" ? "ran" : reason}</Chip>
              </td>
              <td class="mono">{clause?.path ?? ""}</td>
              <td>{clause?.wanted ?? (outcome === "ran" ? "" : inWords)}</td>
              <td class="mono">
                {clause === undefined ? "" : (clause.error ?? foundIn(clause.actual))}
              </td>
              <td>
                <Place ruleId={ruleId} at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the user state that was read for the event, and the user state that the event's runs wrote. */
export function State({ trace: { state } }: { trace: Trace }) {
  const before = Object.entries(state.before);
  if (before.length === 0 && state.after.length === 0) {
    return <Empty>No rule read or wrote user state for it.</Empty>;
  }
  return (
    <div class="sides">
      <section>
        <h2>Read before</h2>
        <dl class="facts">
          {before.map(([key, value]) => (
            <>
              <dt class="mono">{key}</dt>
              <dd class="mono">{JSON.stringify(value)}</dd>
            </>
          ))}
        </dl>
      </section>
      <section>
        <h2>Written</h2>
        <ul class="traces-writes">
          {state.after.map(({ name, from, to, run, step }) => (
            <li key={`${run} ${step ?? ""} ${name}`}>
              <span class="mono">{name}</span>
              {from !== undefined && <del class="mono">{JSON.stringify(from)}</del>}
              <ins class="mono">
                {to === undefined ? "a value that is not stored" : JSON.stringify(to)}
              </ins>
              <small class="soft">
                {run} {step}
              </small>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Lists every HTTP exchange of the trace: requests, deliveries and challenges. */
export function Http({ exchanges }: { exchanges: readonly ExchangeHead[] }) {
  const [open, setOpen] = useState<number>();
  if (exchanges.length === 0) {
    return (
      <Empty>
        The requests are no longer stored: the sandbox keeps its latest thousand exchanges.
      </Empty>
    );
  }
  return (
    <ol class="traces-http">
      {exchanges.map(({ seq, direction, method, url, status, ms, outcome }) => (
        <li key={seq}>
          <button
            type="button"
            class="quiet"
            aria-expanded={open === seq}
            onClick={() => setOpen((last) => (last === seq ? undefined : seq))}
          >
            {method} {url}
          </button>{" "}
          <Chip tone={status >= 200 && status < 400 ? "good" : "bad"}>
            {status === 0 ? (outcome ?? "no answer") : status}
          </Chip>{" "}
          <span class="soft">
            {direction}, {duration(ms)}
          </span>
          {open === seq && <Exchange seq={seq} />}
        </li>
      ))}
    </ol>
  );
}

/** Shows the stored body of the event, and the fields that rules can read. */
export function Source({ trace: { raw, event } }: { trace: Trace }) {
  return (
    <div class="sides">
      <section>
        <h2>What rules can read</h2>
        <dl class="facts">
          {Object.entries(event.fields).map(([path, value]) => (
            <>
              <dt class="mono">{path}</dt>
              <dd class="mono">{JSON.stringify(value)}</dd>
            </>
          ))}
        </dl>
      </section>
      <section>
        <h2>The delivery, as it is stored</h2>
        <pre tabIndex={0}>{JSON.stringify(raw, null, 2)}</pre>
      </section>
    </div>
  );
}

function foundIn(actual: unknown): string {
  return actual === undefined ? "the event has none" : JSON.stringify(actual);
}
