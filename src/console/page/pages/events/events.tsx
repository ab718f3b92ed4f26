import { useMemo, useState } from "preact/hooks";
import type { ExchangeHead, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Empty, Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { howToBegin } from "../../parts/how-to-begin.ts";
import { route, setQuery } from "../../routing/route.ts";
import { Latencies } from "./latencies.tsx";
import { FeedTable } from "./feed-table.tsx";
import { Selection } from "./selection.tsx";
import { type DeliveryAttempt, fits, isEvent } from "./rows.ts";
import { useFeed } from "./use-feed.ts";

/** The live feed: what the platform delivers and how it was taken, and what the runtime tells. */
export function Page({ session }: PageProps) {
  const { query } = route.value;
  const before = useAsked(
    (signal) =>
      session.sandbox === undefined
        ? Promise.resolve({ deliveries: [] })
        : sandbox.get<{ deliveries: readonly DeliveryAttempt[] }>("/deliveries", signal),
    [],
  );
  const { rows: ordered, waiting, isHeld, hold, letGo } = useFeed(before.value?.deliveries);
  const counts = new Map<string, number>();
  for (const { name } of ordered) counts.set(name, (counts.get(name) ?? 0) + 1);
  const hasSandbox = session.sandbox !== undefined;
  const path = hasSandbox ? (query.get("path") ?? "") : "";
  const [typed, setTyped] = useState<string>();
  const found = useAsked(
    async (signal) => {
      if (path === "") return undefined;
      const where = `/exchanges?limit=1000&where=${encodeURIComponent(path)}`;
      const { exchanges } = await sandbox.get<{ exchanges: readonly ExchangeHead[] }>(
        where,
        signal,
      );
      return new Set(exchanges.map(({ seq }) => seq));
    },
    [path],
    (batch) => path !== "" && batch.sandbox.some(({ type }) => type === "delivery"),
  );
  const people = useAsked(
    async (signal) =>
      hasSandbox
        ? (await sandbox.get<{ users: readonly SandboxUser[] }>("/users", signal)).users
        : [],
    [],
  );
  const handles = useMemo(
    () => new Map(people.value?.map(({ id, username }) => [id, `@${username}`])),
    [people.value],
  );
  const [picked, pick] = useState<ReadonlySet<string>>(new Set());
  const filter = {
    exchanges: found.value,
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
        <label>
          Has the text{" "}
          <input
            type="search"
            value={filter.text}
            onInput={({ currentTarget }) => setQuery("text", currentTarget.value)}
          />
        </label>
        {hasSandbox && (
          <label>
            Body has{" "}
            <input
              type="search"
              class="mono"
              size={28}
              placeholder="for_user_id = 123"
              value={typed ?? path}
              aria-invalid={found.error !== undefined}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              onChange={({ currentTarget }) => {
                setQuery("path", currentTarget.value);
                setTyped(undefined);
              }}
            />
          </label>
        )}
        <label>
          Event{" "}
          <select
            value={filter.name ?? ""}
            onChange={({ currentTarget }) => setQuery("event", currentTarget.value)}
          >
            <option value="">all ({ordered.length})</option>
            {[...counts].map(([name, count]) => (
              <option key={name} value={name}>
                {name} ({count})
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={filter.onlyTrouble}
            onChange={({ currentTarget }) =>
              setQuery("trouble", currentTarget.checked ? "yes" : undefined)
            }
          />{" "}
          Only trouble
        </label>
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
      </div>
      {found.error !== undefined && (
        <p class="notice bad" role="alert">
          {found.error.message.replace("where: ", "")}
        </p>
      )}
      {selected.length > 0 && <Selection rows={selected} mayChange={session.role === "operator"} />}
      <Latencies rows={ordered} />
      <Shown asked={before}>
        {() =>
          shown.length === 0 ? (
            <Empty>
              {ordered.length === 0
                ? `Nothing has happened since this page was opened. ${howToBegin(session)}`
                : "Nothing that happened is like that."}
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
