import type { QuestionAnswers } from "../../../operations/operations.ts";
import { counted } from "../../../../text/counted.ts";

/** What an edit would have the bot say otherwise, old and new side by side. Nothing was sent. */
export function WouldChange({ tested: { result } }: { tested: QuestionAnswers["testEdit"] }) {
  if (result === undefined) return null;
  const { events, examples, counts, failed, left } = result;
  const changed = Object.entries(counts).filter(([kind, count]) => kind !== "same" && count > 0);
  return (
    <section aria-label="What would change" role="status">
      <h2>What would change</h2>
      <p>
        Of the latest {counted(events, "event")} {changed.length === 0 ? "none" : ""}
        {changed.map(([kind, count]) => `${count} ${kind}`).join(", ")}
        {changed.length === 0 && " would be answered otherwise"}.
        {left > 0 &&
          ` ${left} ${left === 1 ? "stands" : "stand"} at a call whose answer is not known.`}
        {failed > 0 && ` ${failed} could not be read.`}
      </p>
      {examples.length > 0 && (
        <div class="scrolls" tabIndex={0} role="region" aria-label="Answers before and after">
          <table>
            <thead>
              <tr>
                <th>Event</th>
                <th>Now</th>
                <th>With the edit</th>
              </tr>
            </thead>
            <tbody>
              {examples.map(({ seq, event, before, after }) => (
                <tr key={seq}>
                  <td>
                    <a href={`/traces/${seq}`}>{seq}</a> {event}
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
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
