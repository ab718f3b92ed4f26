import { useMemo, useState } from "preact/hooks";
import type { ExchangeHead, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Choice } from "../../parts/choice.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { howToBegin } from "../../parts/how-to-begin.ts";
import { route, setQuery } from "../../routing/route.ts";
import { Latencies } from "./latencies.tsx";
import { FeedTable } from "./feed-table.tsx";
import { Selection } from "./selection.tsx";
import { type DeliveryAttempt, type FeedRow, fits, isEvent } from "./rows.ts";
import { useFeed } from "./use-feed.ts";

/** Page with the live feed: the platform's deliveries and their outcomes, and the events of the runtime. */
export function Page({ session }: PageProps) {
  const { query } = route.value;
  const hasSandbox = session.sandbox !== undefined;
  const before = useAsked(
    (signal) =>
      hasSandbox
        ? sandbox.get<{ deliveries: readonly DeliveryAttempt[] }>("/deliveries", signal)
        : Promise.resolve({ deliveries: [] }),
    [],
  );
  const { rows: ordered, waiting, isHeld, hold, letGo } = useFeed(before.value?.deliveries);
  const matchingExchanges = useExchangesWith(hasSandbox ? (query.get("path") ?? "") : "");
  const handles = useHandles(hasSandbox);
  const [picked, pick] = useState<ReadonlySet<string>>(new Set());
  const filter = {
    exchanges: matchingExchanges.value,
    name: query.get("event") ?? undefined,
    text: query.get("text") ?? "",
    onlyTrouble: query.get("trouble") === "yes",
  };
  const shown = ordered.filter((row) => fits(row, filter));
  const selected = shown.filter(isEvent).filter(({ id }) => picked.has(id));
  return (
    <main id="main" tabIndex={-1}>
      <h1>Events</h1>
      <div class="row">
        <Filters rows={ordered} hasSandbox={hasSandbox} fault={matchingExchanges.error} />
        <HoldButtons {...{ waiting, isHeld, hold, letGo }} />
      </div>
      {matchingExchanges.error !== undefined && (
        <p class="notice bad" role="alert">
          {matchingExchanges.error.message.replace("where: ", "")}
        </p>
      )}
      {selected.length > 0 && <Selection rows={selected} mayChange={session.role === "operator"} />}
      <Latencies rows={ordered} />
      <Shown answer={before}>
        {() =>
          shown.length === 0 ? (
            <Empty>
              {ordered.length === 0
                ? `Nothing has happened since this page was opened. ${howToBegin(session)}`
                : "No event matches."}
            </Empty>
          ) : (
            <FeedTable
              rows={shown}
              onHold={hold}
              hasSandbox={hasSandbox}
              handles={handles}
              picked={picked}
              onPick={pick}
            />
          )
        }
      </Shown>
    </main>
  );
}

type Hold = Pick<ReturnType<typeof useFeed>, "waiting" | "isHeld" | "hold" | "letGo">;

/** Buttons that pause and resume the feed. The second button shows how many new rows wait while the feed is paused. */
function HoldButtons({ waiting, isHeld, hold, letGo }: Hold) {
  return (
    <>
      <button type="button" aria-pressed={isHeld} onClick={() => (isHeld ? letGo() : hold())}>
        {isHeld ? "Go on" : "Hold"}
      </button>
      <span aria-live="polite">
        {waiting > 0 && (
          <button type="button" class="go" onClick={letGo}>
            {waiting} new
          </button>
        )}
      </span>
    </>
  );
}

interface FiltersProps {
  readonly rows: readonly FeedRow[];
  readonly hasSandbox: boolean;
  /** Syntax error in the path that a person entered to filter deliveries by their bodies. */
  readonly fault: Error | undefined;
}

function Filters({ rows, hasSandbox, fault }: FiltersProps) {
  const { query } = route.value;
  const [typed, setTyped] = useState<string>();
  const counts = new Map<string, number>();
  for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    <>
      <SearchField label="Text contains" name="text" />
      {hasSandbox && (
        <label>
          Body contains{" "}
          <input
            type="search"
            class="mono"
            size={28}
            placeholder="for_user_id = 123"
            value={typed ?? query.get("path") ?? ""}
            aria-invalid={fault !== undefined}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            onChange={({ currentTarget }) => {
              setQuery("path", currentTarget.value);
              setTyped(undefined);
            }}
          />
        </label>
      )}
      <Choice
        label="Event"
        value={query.get("event") ?? ""}
        options={[
          ["", `all (${rows.length})`],
          ...[...counts].map(([name, count]) => [name, `${name} (${count})`] as const),
        ]}
        onChange={(name) => setQuery("event", name)}
      />
      <label>
        <input
          type="checkbox"
          checked={query.get("trouble") === "yes"}
          onChange={({ currentTarget }) =>
            setQuery("trouble", currentTarget.checked ? "yes" : undefined)
          }
        />{" "}
        Only failures
      </label>
    </>
  );
}

/** Returns the numbers of the HTTP exchanges whose bodies match the JSON path; undefined if no path is entered. */
function useExchangesWith(path: string) {
  return useAsked(
    async (signal) => {
      if (path === "") return undefined;
      const where = `/exchanges?limit=1000&where=${encodeURIComponent(path)}`;
      const read = await sandbox.get<{ exchanges: readonly ExchangeHead[] }>(where, signal);
      return new Set(read.exchanges.map(({ seq }) => seq));
    },
    [path],
    (batch) => path !== "" && batch.sandbox.some(({ type }) => type === "delivery"),
  );
}

/** Returns the handles of the sandbox's people, such as `@ana`, by user id. */
function useHandles(hasSandbox: boolean): ReadonlyMap<string, string> {
  const people = useAsked(
    async (signal) =>
      hasSandbox
        ? (await sandbox.get<{ users: readonly SandboxUser[] }>("/users", signal)).users
        : [],
    [],
  );
  return useMemo(
    () => new Map(people.value?.map(({ id, username }) => [id, `@${username}`])),
    [people.value],
  );
}
