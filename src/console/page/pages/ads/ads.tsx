import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useQuestion } from "../../asking/use-asked.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { MakeForm } from "../../parts/make-form.tsx";
import { Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { Explorer } from "./explorer.tsx";

/**
 * Page about advertising measurement: attribution of conversions, the stored records, and forms that create records.
 */
export function Page({ session }: PageProps) {
  const answer = useQuestion("adsOverview", {}, (batch) =>
    batch.sandbox.some(({ type }) => type === "world" || type === "request"),
  );
  return (
    <main id="main" tabIndex={-1}>
      <h1>Ads</h1>
      <Shown answer={answer}>
        {({ engagements, conversions, parts }) => (
          <>
            <Explorer engagements={engagements} conversions={conversions} />
            {parts.map(({ title, table, form }, at) => (
              <section key={title} class="stack">
                <h2>{title}</h2>
                <MakeForm form={form} session={session} onMade={answer.again} isFolded={at > 1} />
                <DataTable
                  name={title}
                  table={table}
                  run={({ what, values }) =>
                    void notify(command("make", { what, values }), (done) => done).then(
                      answer.again,
                    )
                  }
                />
              </section>
            ))}
          </>
        )}
      </Shown>
    </main>
  );
}
