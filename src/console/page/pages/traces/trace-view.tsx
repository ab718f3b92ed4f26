import type { ExchangeHead } from "../../../../sandbox/control/objects.ts";
import type { Trace } from "../../../../traces/trace.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask, sandbox } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { toneOf } from "../../parts/outcome.ts";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { route, setQuery } from "../../routing/route.ts";
import { Http, Rules, Source, State } from "./details.tsx";
import { refOf, sequenceOf } from "./sequence.ts";
import { SequenceChart } from "./sequence-chart.tsx";
import { ShareBar } from "./share-bar.tsx";
import { Steps } from "./steps.tsx";

const TABS = ["Sequence", "Rules", "Steps", "State", "HTTP", "Source"] as const;
type Tab = (typeof TABS)[number];

interface ViewProps {
  /** The event's number or key, or `last`. */
  readonly of: string;
  readonly session: SessionAnswer;
}

/** One event: what became of it, from all sides. */
export function TraceView({ of, session }: ViewProps) {
  const asked = useAsked(
    async (signal) => {
      const trace = await ask("trace", { of }, signal);
      const exchanges = session.sandbox === undefined ? [] : await exchangesOf(trace, signal);
      return { trace, exchanges };
    },
    [of],
    (batch) => batch.runtime.some(({ type }) => /decided|settled|received/.test(type)),
  );
  return (
    <Shown asked={asked}>
      {({ trace, exchanges }) => (
        <>
          <Head trace={trace} />
          <ShareBar trace={trace} session={session} />
          <Tabs trace={trace} exchanges={exchanges} />
        </>
      )}
    </Shown>
  );
}

/** All that the sandbox still has of it: what is about the event itself, and about each answer. */
async function exchangesOf(trace: Trace, signal: AbortSignal): Promise<readonly ExchangeHead[]> {
  const ids = [refOf(trace), ...trace.items.map(({ platformId }) => platformId)];
  const lists = await Promise.all(
    [...new Set(ids.flatMap((id) => id ?? []))].map((id) =>
      sandbox.get<{ exchanges: readonly ExchangeHead[] }>(
        `/exchanges?limit=200&about=${id}`,
        signal,
      ),
    ),
  );
  const all = new Map(lists.flatMap(({ exchanges }) => exchanges).map((one) => [one.seq, one]));
  return [...all.values()].sort((a, b) => a.seq - b.seq);
}

function Head({ trace: { event, outcome, times, decision } }: { trace: Trace }) {
  return (
    <>
      <p class="row">
        <a href="/traces">All traces</a>
        <strong>Event {event.seq}</strong>
        <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>
        <span class="soft">
          <Time at={times.happened} withDate />
        </span>
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
  readonly exchanges: readonly ExchangeHead[];
}

function Tabs({ trace, exchanges }: TabsProps) {
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
        aria-label="Ways to look at it"
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
        <Panel tab={chosen} trace={trace} exchanges={exchanges} />
      </div>
    </>
  );
}

function Panel({ tab, trace, exchanges }: TabsProps & { readonly tab: Tab }) {
  switch (tab) {
    case "Sequence":
      return <SequenceChart rows={sequenceOf(trace, exchanges)} />;
    case "Rules":
      return <Rules trace={trace} />;
    case "Steps":
      return <Steps trace={trace} />;
    case "State":
      return <State trace={trace} />;
    case "HTTP":
      return <Http exchanges={exchanges} />;
    case "Source":
      return <Source trace={trace} />;
  }
}
