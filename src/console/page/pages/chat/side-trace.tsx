import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import type { Trace } from "../../../../insight/traces/trace.ts";
import { ask } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Place } from "../../parts/place.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { toneOf } from "../../parts/outcome.ts";
import { route } from "../../routing/route.ts";
import { type CastMember, keyOf } from "./thread.ts";
import { counted } from "../../../../text/counted.ts";

interface SideTraceProps {
  readonly person: CastMember;
  readonly bot: { readonly id: string };
  readonly happenings: readonly SandboxActivity[];
}

/** Shows the trace of the selected message, or else of the person's latest one. */
export function SideTrace({ person, bot, happenings }: SideTraceProps) {
  const wanted = route.value.query.get("event");
  const one =
    happenings.find(({ id }) => id === wanted) ??
    happenings.findLast(({ by, kind }) => by === person.id && kind !== "typing");
  return (
    <aside class="chat-side card" aria-label="What happened">
      <h2>What happened</h2>
      {one === undefined ? (
        <Empty>Send a message: what the bot does with it is shown here.</Empty>
      ) : (
        <TraceOf key={one.id} one={one} lane={`${bot.id}/${one.by}`} account={bot.id} />
      )}
    </aside>
  );
}

function TraceOf({ one, lane, account }: { one: SandboxActivity; lane: string; account: string }) {
  const traceAnswer = useAsked(
    async (signal): Promise<Trace | undefined> => {
      const rows = await ask("journal", { account, lane, limit: 100 }, signal);
      const key = keyOf(one);
      const row = rows.find((each) => (key === undefined ? each.at === one.at : each.key === key));
      return row && ask("trace", { of: String(row.seq) }, signal);
    },
    [one.id],
    (batch) => batch.runtime.some(({ data }) => "lane" in data && data.lane === lane),
  );
  return (
    <Shown answer={traceAnswer}>
      {(trace) =>
        trace === undefined ? (
          <p class="soft">Not delivered to the bot yet: see Delivery for missed events.</p>
        ) : (
          <Summary trace={trace} />
        )
      }
    </Shown>
  );
}

function Summary({ trace }: { trace: Trace }) {
  const { outcome, verdicts, items, event, runs } = trace;
  const ran = verdicts.filter(({ outcome: word }) => word === "ran");
  const bots = runs.filter(({ bot }) => bot !== undefined);
  const took = tookMs(trace);
  return (
    <>
      <p>
        <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip> {outcome.reason}
      </p>
      <p class="chat-funnel">
        1 event → {ran.length} of {counted(verdicts.length, "rule")}
        {bots.length > 0 && ` and ${bots.map(({ bot }) => bot).join(", ")}`} →{" "}
        {counted(items.length, "answer")}
        {took !== undefined && `, ${duration(took)}`}
      </p>
      <ol class="chat-verdicts">
        {[...ran, ...verdicts.filter(({ outcome: word }) => word !== "ran")].map((verdict) => (
          <li key={verdict.ruleId} class={verdict.outcome}>
            <a href={`/rules/${encodeURIComponent(verdict.ruleId)}`}>{verdict.ruleId}</a>{" "}
            <Place {...verdict} />
            <div>{verdict.inWords}</div>
          </li>
        ))}
      </ol>
      <p>
        <a href={`/traces/${event.seq}`}>Open the trace</a>
      </p>
    </>
  );
}

/** Returns the milliseconds from the event's arrival to its last answer, or to its decision; undefined before that. */
function tookMs({ times, items }: Trace): number | undefined {
  const last = Math.max(...items.map(({ settledAt = 0 }) => settledAt), times.decided ?? 0);
  return last === 0 ? undefined : Math.max(0, last - times.arrived);
}
