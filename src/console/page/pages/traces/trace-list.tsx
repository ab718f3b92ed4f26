import { CardTable } from "../../parts/card-table.tsx";
import {
  TRACE_OUTCOMES,
  type TraceOutcomeWord,
} from "../../../../insight/traces/outcome/outcome-words.ts";
import { ask } from "../../asking/api.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Choice } from "../../parts/choice.tsx";
import { howToBegin } from "../../parts/how-to-begin.ts";
import { toneOf } from "../../parts/outcome.ts";
import { Pager } from "../../parts/pager.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import type { PageProps } from "../../page-props.ts";
import { OpenTrace } from "./opened-trace.tsx";
import { route, setQuery } from "../../routing/route.ts";

const PAGE = 50;

/** Lists events with their outcomes, newest first. */
export function TraceList({ session }: PageProps) {
  const { query } = route.value;
  const outcome = TRACE_OUTCOMES.find((word) => word === query.get("outcome"));
  const filter = {
    ...(outcome && { outcomes: [outcome] }),
    ...toFilterEntry("rule", query.get("rule")),
    ...toFilterEntry("person", query.get("person")),
    ...toFilterEntry("text", query.get("text")),
  };
  const before = Number(query.get("before") ?? "0");
  const page = { limit: PAGE, ...filter, ...(before > 0 && { before }) };
  const answer = useQuestion("traces", page, (batch) => before === 0 && batch.runtime.length > 0);
  return (
    <>
      <Filters outcome={outcome} />
      <Shown answer={answer}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 ? (
              <Empty>
                {Object.keys(filter).length === 0 && before === 0
                  ? `The bot has received nothing yet. ${howToBegin(session)}`
                  : `No event matches${next === undefined ? "" : " here. Search further: Older"}.`}
              </Empty>
            ) : (
              <Rows rows={rows} />
            )}
            <Pager before={before} next={next} />
          </>
        )}
      </Shown>
      <p>
        <OpenTrace />
      </p>
    </>
  );
}

function toFilterEntry(name: string, value: string | null): Readonly<Record<string, string>> {
  return value === null || value === "" ? {} : { [name]: value };
}

function Filters({ outcome }: { outcome: TraceOutcomeWord | undefined }) {
  return (
    <div class="row">
      <Choice
        label="Outcome"
        value={outcome ?? ""}
        options={[["", "any"], ...TRACE_OUTCOMES]}
        onChange={(word) => setQuery("outcome", word)}
      />
      <SearchField label="Rule" name="rule" size={12} />
      <SearchField label="Person" name="person" size={12} />
      <SearchField label="Text" name="text" size={12} />
    </div>
  );
}

type Row = Awaited<ReturnType<typeof ask<"traces">>>["rows"][number];

function Rows({ rows }: { rows: readonly Row[] }) {
  const longest = Math.max(...rows.map(tookMs), 1);
  return (
    <CardTable
      class="traces-list"
      label="Events, newest first"
      columns={[["Event", "number"], "What happened", "Outcome", "Rules and bots", "Took", "When"]}
    >
      {rows.map((row) => (
        <tr key={row.seq}>
          <td class="number">
            <a href={`/traces/${row.seq}`}>{row.seq}</a>
          </td>
          <td class="traces-what">{row.inWords}</td>
          <td>
            <Chip tone={toneOf(row.outcome.word)}>{row.outcome.word}</Chip>
            <div class="soft">{row.outcome.reason}</div>
          </td>
          <td>
            {row.rules.map((rule) => (
              <div key={rule}>
                <a href={`/rules/${encodeURIComponent(rule)}`}>{rule}</a>
              </div>
            ))}
            {row.bots.map((bot) => (
              <div key={bot}>bot {bot}</div>
            ))}
          </td>
          <td class="nowrap">
            <svg class="traces-bar" viewBox="0 0 60 8" aria-hidden="true">
              <rect width={Math.max(2, (tookMs(row) / longest) * 60)} height="8" rx="2" />
            </svg>{" "}
            {duration(tookMs(row))}
          </td>
          <td class="nowrap">
            <Time at={row.arrived} />
          </td>
        </tr>
      ))}
    </CardTable>
  );
}

function tookMs({ arrived, decided, settled }: Row): number {
  return Math.max(0, (settled ?? decided ?? arrived) - arrived);
}
