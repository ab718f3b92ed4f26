import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { useQuestion } from "../../asking/use-asked.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { Shown } from "../../parts/states.tsx";
import { route, setQuery } from "../../routing/route.ts";

/** Compares event `of` with the event in the query parameter `with`, by default with `usual`. */
export function Compare({
  of,
  usual,
}: {
  readonly of: string;
  readonly usual: number | undefined;
}) {
  const other = route.value.query.get("with");
  const [chosen, choose] = useState(other ?? String(usual ?? ""));
  return (
    <details class="card" open={other !== null}>
      <summary>Compare with another event</summary>
      <Form class="row" onSubmit={() => setQuery("with", chosen)}>
        <label>
          Event{" "}
          <input
            required
            size={8}
            value={chosen}
            onInput={({ currentTarget }) => choose(currentTarget.value)}
          />
        </label>
        <button type="submit">Compare</button>
      </Form>
      {other !== null && <Beside of={of} other={other} />}
    </details>
  );
}

function Beside({ of, other }: { readonly of: string; readonly other: string }) {
  const answer = useQuestion("compareTraces", { of, with: other });
  return <Shown answer={answer}>{(table) => <DataTable name="Compared" table={table} />}</Shown>;
}
