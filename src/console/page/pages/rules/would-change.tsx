import { CardTable } from "../../parts/card-table.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { counted } from "../../../../text/counted.ts";

type TestedEdit = QuestionAnswers["testEdit"];
type ShownGroup = NonNullable<TestedEdit["result"]>["groups"][number];

/** Shows the answers that an edit of the rules would change, before and after. Equal changes share a row. */
export function WouldChange({ tested: { result } }: { tested: TestedEdit }) {
  if (result === undefined) return null;
  const { events, groups, groupCount, counts, failed, left: partialRuns } = result;
  const changed = Object.entries(counts).filter(([kind, count]) => kind !== "same" && count > 0);
  return (
    <section aria-label="What would change" role="status">
      <h2>What would change</h2>
      <p>
        Of the latest {counted(events, "event")}{" "}
        {changed.map(([kind, count]) => `${count} ${kind}`).join(", ")}
        {changed.length === 0 && "none would be answered differently"}.
        {partialRuns > 0 &&
          ` ${partialRuns} ${partialRuns === 1 ? "stands" : "stand"} at a call whose answer is unknown.`}
        {failed > 0 && ` ${failed} could not be read.`}
      </p>
      {groups.length > 0 && (
        <CardTable label="Answers before and after" columns={["Events", "Now", "With the edit"]}>
          {groups.map((group) => (
            <GroupRow key={group.examples[0]?.seq} group={group} />
          ))}
        </CardTable>
      )}
      {groupCount > groups.length && (
        <p class="soft">
          {counted(groupCount - groups.length, "smaller group")} not shown:{" "}
          <code>answerback backtest --all</code> lists every event.
        </p>
      )}
    </section>
  );
}

function GroupRow({ group: { kind, count, before, after, examples } }: { group: ShownGroup }) {
  return (
    <tr>
      <td>
        <strong>
          {count} {kind}
        </strong>
        {examples.map(({ seq, said }) => (
          <div key={seq}>
            <a href={`/traces/${seq}`}>{said}</a>
          </div>
        ))}
        {count > examples.length && <span class="soft">and {count - examples.length} more</span>}
      </td>
      <td>
        {before.map(({ what }) => (
          <del key={what}>{what}</del>
        ))}
        {before.length === 0 && <span class="soft">nothing</span>}
      </td>
      <td>
        {after.map(({ what }) => (
          <ins key={what}>{what}</ins>
        ))}
        {after.length === 0 && <span class="soft">nothing</span>}
      </td>
    </tr>
  );
}
