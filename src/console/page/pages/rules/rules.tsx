import { useQuestion } from "../../asking/use-asked.ts";
import { Choice } from "../../parts/choice.tsx";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route, setQuery } from "../../routing/route.ts";
import { FileView } from "./file-view.tsx";
import { RuleList } from "./rule-list.tsx";
import { TryMessage } from "./try-message.tsx";

/** Periods in hours over which runs are counted, with their labels. */
const HOURS = [
  [1, "the last hour"],
  [24, "the last day"],
  [168, "the last week"],
  [720, "the last 30 days"],
] as const;

/** Page with the rules: counts on each line, their answers to a message, and the effects of an edit. */
export function Page({ session }: PageProps) {
  const { parts, query } = route.value;
  const [, id] = parts;
  const chosen = Number(query.get("hours") ?? "24");
  const [hours] = HOURS.find(([one]) => one === chosen) ?? HOURS[1];
  const answer = useQuestion("rulesOverview", { hours }, (batch) =>
    batch.runtime.some(({ type }) => type === "run-settled" || type === "rules-changed"),
  );
  return (
    <main id="main" tabIndex={-1}>
      <h1>Rules</h1>
      <div class="row rules-head">
        {id !== undefined && <a href="/rules">All rules</a>}
        <Choice
          label="Counted over"
          value={hours}
          options={HOURS}
          onChange={(count) => setQuery("hours", String(count))}
        />
      </div>
      <Shown answer={answer}>
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
