import type { Trace } from "../../../../insight/traces/trace.ts";
import type { Neighbours } from "../../../operations/traces/traces.ts";
import type { Sequence } from "../../../operations/sequence.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { toneOf } from "../../parts/outcome.ts";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { route, setQuery } from "../../routing/route.ts";
import { Compare } from "./compare.tsx";
import { Http, Rules, Source, State } from "./details.tsx";
import { SequenceChart } from "./sequence-chart.tsx";
import { RunAgain } from "./run-again.tsx";
import { ShareBar } from "./share-bar.tsx";
import { Steps } from "./steps.tsx";

const TABS = ["Sequence", "Rules", "Steps", "State", "HTTP", "Source"] as const;
type Tab = (typeof TABS)[number];

interface ViewProps {
  /** Number or key of the event, or `last`. */
  readonly of: string;
  readonly session: SessionAnswer;
}

/** Page of one event, with tabs for all views of its trace. */
export function TraceView({ of, session }: ViewProps) {
  const answer = useAsked(
    async (signal) => {
      const trace = await ask("trace", { of }, signal);
      const { seq } = trace.event;
      const [sequence, near] = await Promise.all([
        ask("sequence", { of: String(seq) }, signal),
        ask("neighbours", { seq }, signal),
      ]);
      return { trace, sequence, near };
    },
    [of],
    (batch) => batch.runtime.some(({ type }) => /decided|settled|received/.test(type)),
  );
  return (
    <Shown answer={answer}>
      {({ trace, sequence, near }) => (
        <>
          <Head trace={trace} near={near} />
          <ShareBar trace={trace} sequence={sequence} session={session} />
          <RunAgain key={of} of={String(trace.event.seq)} text={trace.event.text} />
          <Compare of={String(trace.event.seq)} usual={near.earlier} />
          <Tabs trace={trace} sequence={sequence} />
        </>
      )}
    </Shown>
  );
}

/** Shows the event's outcome in a sentence, with links to the same person's previous and next event. */
export function Head({ trace, near }: { readonly trace: Trace; readonly near: Neighbours }) {
  const { event, outcome, times, decision } = trace;
  const who = event.person?.username;
  return (
    <>
      <p class="row">
        <a href="/traces">All traces</a>
        {who !== undefined && <a href={`/traces?person=${who}`}>All of @{who}</a>}
        <strong>Event {event.seq}</strong>
        <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>
        <span class="soft">
          <Time at={times.happened} withDate />
        </span>
        <span class="gap" />
        {near.earlier !== undefined && <a href={`/traces/${near.earlier}`}>← Previous</a>}
        {near.later !== undefined && <a href={`/traces/${near.later}`}>Next →</a>}
      </p>
      <p class="traces-head">{event.inWords}</p>
      <p>{outcome.reason}</p>
      {decision.rulesChanged && (
        <p class="notice warn">
          The rules have changed since: what the rules say below is what they say now.
        </p>
      )}
    </>
  );
}

interface TabsProps {
  readonly trace: Trace;
  readonly sequence: Sequence;
}

/** Tabs with the views of a trace. */
export function Tabs({ trace, sequence }: TabsProps) {
  const chosen = TABS.find((tab) => tab.toLowerCase() === route.value.query.get("tab")) ?? TABS[0];
  const move = (by: number): void => {
    const next = TABS[(TABS.indexOf(chosen) + by + TABS.length) % TABS.length] ?? TABS[0];
    setQuery("tab", next.toLowerCase());
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div
        class="tabs"
        role="tablist"
        aria-label="Views of the trace"
        onKeyDown={({ key }) => {
          if (key === "ArrowRight") move(1);
          if (key === "ArrowLeft") move(-1);
        }}
      >
        {TABS.map((tab) => (
          <button
            key={tab}
            id={`tab-${tab}`}
            type="button"
            role="tab"
            aria-selected={tab === chosen}
            aria-controls="tab-panel"
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => setQuery("tab", tab.toLowerCase())}
          >
            {tab}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${chosen}`} tabIndex={0}>
        <Panel tab={chosen} trace={trace} sequence={sequence} />
      </div>
    </>
  );
}

function Panel({ tab, trace, sequence }: TabsProps & { readonly tab: Tab }) {
  switch (tab) {
    case "Sequence":
      return <SequenceChart rows={sequence.rows} />;
    case "Rules":
      return <Rules trace={trace} />;
    case "Steps":
      return <Steps trace={trace} />;
    case "State":
      return <State trace={trace} />;
    case "HTTP":
      return <Http exchanges={sequence.exchanges} />;
    case "Source":
      return <Source trace={trace} />;
  }
}
