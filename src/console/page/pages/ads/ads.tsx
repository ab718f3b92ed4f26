import type { AdsRecord, AdsRecords } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import { Empty, Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { Explorer } from "./explorer.tsx";
import { MakeEngagement } from "./make-engagement.tsx";

/** Advertising measurement: what there is, and which engagement has a conversion. */
export function Page({ session }: PageProps) {
  const asked = useAsked(
    (signal) => sandbox.get<AdsRecords>("/ads", signal),
    [],
    (batch) => batch.sandbox.some(({ type }) => type === "world" || type === "request"),
  );
  return (
    <main id="main" tabIndex={-1}>
      <h1>Ads</h1>
      <Shown asked={asked}>
        {(records) => (
          <>
            <Explorer engagements={records.engagements} conversions={records.conversions} />
            <MakeEngagement records={records} session={session} onMade={asked.again} />
            <Table name="Conversions" rows={records.conversions} />
            <Table name="Event tags" rows={records.event_tags} />
            <Table name="App lists" rows={records.app_lists} />
            <Table name="Accounts" rows={records.accounts} />
            <p class="soft">
              Conversions and tags are made by the platform's own endpoints:{" "}
              <a href="/api?find=conversion">find them on the page API</a>.
            </p>
          </>
        )}
      </Shown>
    </main>
  );
}

function Table({ name, rows }: { name: string; rows: readonly AdsRecord[] }) {
  const columns = Object.keys(rows[0] ?? {});
  return (
    <section>
      <h2>{name}</h2>
      {rows.length === 0 ? (
        <Empty>There are none yet.</Empty>
      ) : (
        <div class="scrolls" tabIndex={0} role="region" aria-label={name}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column}>{column}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.toReversed().map((row) => (
                <tr key={row.id}>
                  {columns.map((column) => (
                    <td key={column}>{shownIn(column, row[column])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function shownIn(column: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && /At$|^at$/.test(column)) return new Date(value).toISOString();
  return typeof value === "string" ? value : JSON.stringify(value);
}
