import type { LiveCost } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked, useQuestion } from "../../asking/use-asked.ts";
import type { LiveBatch } from "../../live/live.ts";
import { Pager } from "../../parts/pager.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { howToBegin } from "../../parts/how-to-begin.ts";
import { route, setQuery } from "../../routing/route.ts";
import { Escalations } from "./escalations.tsx";
import { Gauges } from "./gauges.tsx";
import { ItemDetails } from "./item-details.tsx";
import { ItemRows } from "./item-rows.tsx";

const STATUSES = [
  "pending",
  "sending",
  "sent",
  "held",
  "unknown",
  "failed",
  "expired",
  "dropped",
] as const;
type Status = (typeof STATUSES)[number];

/** Number of items on a page of the list, and maximum number of open hand-overs that are shown. */
const [PAGE, MAX_HANDOVERS] = [100, 1_000];

function concerns({ runtime }: LiveBatch): boolean {
  return runtime.some(({ type }) => /item|escalat|outbox|decided|held/.test(type));
}

/** Page with the bot's outbox items, the remaining rate limits, and the hand-overs to people. */
export function Page({ session }: PageProps) {
  const { parts, query } = route.value;
  const mayChange = session.role === "operator";
  const chosen = STATUSES.find((status) => status === query.get("status"));
  const before = Number(query.get("before") ?? "0");
  const items = useQuestion(
    "outboxItems",
    { limit: PAGE + 1, ...(chosen && { status: chosen }), ...(before > 0 && { before }) },
    concerns,
  );
  const status = useQuestion("status", {}, concerns);
  const escalations = useQuestion("escalations", { state: "open", limit: MAX_HANDOVERS }, concerns);
  const [, id] = parts;
  const handles = new Map(status.value?.accounts.map((one) => [one.id, one.username]));
  return (
    <main id="main" tabIndex={-1}>
      <h1>Outbox</h1>
      {id !== undefined && /^\d+$/.test(id) && (
        <ItemDetails id={Number(id)} mayChange={mayChange} onChanged={items.again} />
      )}
      <Shown answer={status}>
        {({ store }) => <StatusTabs chosen={chosen} counts={store.items} />}
      </Shown>
      <Shown answer={items}>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                {chosen === undefined
                  ? `The bot has sent nothing yet. ${howToBegin(session)}`
                  : `No item has the status ${chosen}.`}
              </Empty>
            ) : (
              <ItemRows rows={rows.slice(0, PAGE)} handles={handles} />
            )}
            <Pager before={before} next={rows.length > PAGE ? rows[PAGE - 1]?.id : undefined} />
          </>
        )}
      </Shown>
      <div class="sides">
        <section>
          <h2>Hand-overs</h2>
          <Shown answer={escalations}>
            {(all) => <Escalations all={all} mayChange={mayChange} onChanged={escalations.again} />}
          </Shown>
        </section>
        <section>
          <h2>Rate limits</h2>
          <RateLimits hasSandbox={session.sandbox !== undefined} handles={handles} />
        </section>
      </div>
    </main>
  );
}

interface RateLimitsProps {
  readonly hasSandbox: boolean;
  readonly handles: ReadonlyMap<string, string>;
}

function RateLimits({ hasSandbox, handles }: RateLimitsProps) {
  const limits = useQuestion("limits", {}, concerns);
  const liveCost = useAsked(
    (signal) =>
      hasSandbox ? sandbox.get<LiveCost>("/live_cost", signal) : Promise.resolve(undefined),
    [],
    concerns,
  );
  return (
    <Shown answer={limits}>
      {(all) => <Gauges limits={all} liveCost={liveCost.value} handles={handles} />}
    </Shown>
  );
}

interface StatusTabsProps {
  readonly chosen: Status | undefined;
  readonly counts: Readonly<Record<Status, number>>;
}

function StatusTabs({ chosen, counts }: StatusTabsProps) {
  const tab = (status: Status | undefined, label: string) => (
    <button
      key={label}
      type="button"
      aria-pressed={chosen === status}
      onClick={() => setQuery("status", status)}
    >
      {label}
    </button>
  );
  return (
    <div class="tabs" role="group" aria-label="Show items by status">
      {tab(undefined, "All")}
      {STATUSES.map((one) => tab(one, `${one} ${counts[one]}`))}
    </div>
  );
}
