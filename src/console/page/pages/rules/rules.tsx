import { ask } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route, setQuery } from "../../routing/route.ts";
import { FileView } from "./file-view.tsx";
import { RuleList } from "./rule-list.tsx";
import { TryMessage } from "./try-message.tsx";

const HOURS = [
  { hours: 1, label: "the last hour" },
  { hours: 24, label: "the last day" },
  { hours: 168, label: "the last week" },
  { hours: 720, label: "the last 30 days" },
] as const;

/** The rules: how often each ran, line by line, what they would say, and what an edit would change. */
export function Page({ session }: PageProps) {
  const { parts, query } = route.value;
  const [, id] = parts;
  const chosen = Number(query.get("hours") ?? "24");
  const { hours } = HOURS.find((one) => one.hours === chosen) ?? HOURS[1];
  const asked = useAsked(
    (signal) => ask("rulesOverview", { hours }, signal),
    [hours],
    (batch) => batch.runtime.some(({ type }) => type === "run-settled" || type === "rules-changed"),
  );
  return (
    <main id="main" tabIndex={-1}>
      <h1>Rules</h1>
      <div class="row rules-head">
        {id !== undefined && <a href="/rules">All rules</a>}
        <label>
          Counted over{" "}
          <select
            value={hours}
            onChange={({ currentTarget }) => setQuery("hours", currentTarget.value)}
          >
            {HOURS.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.label}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Shown asked={asked}>
        {(overview) => {
          const rule = overview.rules.find((one) => one.id === id);
          if (id === undefined) return <RuleList overview={overview} />;
          if (rule === undefined) return <p>There is no rule {id}.</p>;
          return <FileView key={rule.file} overview={overview} rule={rule} session={session} />;
        }}
      </Shown>
      <TryMessage />
    </main>
  );
}
