import { useEffect, useState } from "preact/hooks";
import { replayReach } from "../../../../runtime/records.ts";
import { platformNow } from "../../parts/clock.ts";
import type { LiveBatch } from "../../live/live.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Shown } from "../../parts/states.tsx";
import { openGaps } from "./cells.ts";
import { Challenges } from "./challenges.tsx";
import { Coverage } from "./coverage.tsx";
import { Gaps } from "./gaps.tsx";
import { countsOf, isOpenJob, Jobs } from "./jobs.tsx";
import { LinkFacts } from "./link-facts.tsx";
import { Pending } from "./pending.tsx";
import { ReplayForm } from "./replay-form.tsx";
import type { PickedTime } from "./stretch.ts";

/** Page about received events: the covered times, the gaps between them, and their recovery. */
export function Page({ session }: PageProps) {
  const mayChange = session.role === "operator";
  return (
    <main id="main" tabIndex={-1} class="delivery">
      <h1>Delivery</h1>
      {session.hasRuntime && <RuntimeParts mayChange={mayChange} />}
      {session.sandbox !== undefined && (
        <>
          <section>
            <h2>Not delivered yet</h2>
            <Pending now={platformNow.value} mayChange={mayChange} />
          </section>
          <section>
            <h2>Challenges</h2>
            <Challenges now={platformNow.value} mayChange={mayChange} />
          </section>
        </>
      )}
    </main>
  );
}

const POLL_MS = 1_000;
const HOUR_MS = 3_600_000;

function concernsDelivery(batch: LiveBatch): boolean {
  return (
    batch.runtime.some(({ type }) => /^(gap|link|account)-/.test(type)) ||
    batch.runtime.some(({ type, data }) => type === "event-received" && data.source === "replay") ||
    batch.sandbox.some(({ type }) => type === "clock" || type === "challenge")
  );
}

function RuntimeParts({ mayChange }: { mayChange: boolean }) {
  const coverage = useQuestion("coverage", { hours: 25 }, concernsDelivery);
  const replays = useQuestion("replays", {}, concernsDelivery);
  const status = useQuestion("status", {}, concernsDelivery);
  const [chosen, choose] = useState<PickedTime>();
  const again = (): void => [coverage, replays, status].forEach((one) => one.again());
  const now = coverage.value?.to ?? platformNow.value;
  const isOpen =
    replays.value?.replays.some(isOpenJob) === true || (status.value?.catchup.gaps ?? 0) > 0;
  // The server sends no events about the progress of replay jobs, so the page polls.
  useEffect(() => {
    const timer = setInterval(again, isOpen ? POLL_MS : 30 * POLL_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  const jobs = replays.value?.replays ?? [];
  const { latestTo } = replayReach(now);
  const selected = chosen ?? { from: latestTo - HOUR_MS, to: latestTo };
  return (
    <>
      <Shown answer={status}>{(value) => <LinkFacts status={value} />}</Shown>
      <section>
        <h2>The last 24 hours</h2>
        <Shown answer={coverage}>
          {(value) => <Coverage coverage={value} now={now} selected={chosen} onSelect={choose} />}
        </Shown>
      </section>
      <div class="sides">
        <section>
          <h2>Gaps</h2>
          <Gaps
            {...{ jobs, now, mayChange }}
            gaps={openGaps(coverage.value?.accounts ?? [])}
            noReplay={status.value?.catchup.noReplay}
            onAsked={again}
          />
        </section>
        <section>
          <h2>Replay a period</h2>
          <ReplayForm
            now={now}
            selected={selected}
            onSelect={choose}
            mayChange={mayChange}
            onAsked={again}
          />
        </section>
      </div>
      <section>
        <h2>Replay jobs</h2>
        <Redelivered jobs={jobs} />
        <Jobs jobs={jobs} />
      </section>
    </>
  );
}

/** Shows how many events all completed replay jobs delivered again, and how many of them were duplicates. */
function Redelivered({ jobs }: Parameters<typeof Jobs>[0]) {
  const over = jobs.filter((job) => job.state === "complete");
  const sum = (part: "events" | "duplicates"): number =>
    over.reduce((all, job) => all + (job[part] ?? 0), 0);
  if (over.length === 0) return null;
  return (
    <p role="status">
      <strong>{countsOf({ events: sum("events"), duplicates: sum("duplicates") })}</strong>{" "}
      <span class="soft">
        in {over.length} complete {over.length === 1 ? "job" : "jobs"}: events that the journal had
        already were not processed twice.
      </span>
    </p>
  );
}
