import { CardTable } from "../../parts/card-table.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Problems } from "./problems.tsx";
import type { ShownOverview } from "./overview.ts";
import { RuleState } from "./rule-state.tsx";
import { Sparkline } from "./sparkline.tsx";

/** Lists all rules in the order of evaluation. */
export function RuleList({ overview }: { overview: ShownOverview }) {
  const { rules, problems } = overview;
  return (
    <>
      <Problems problems={problems} />
      {rules.length === 0 ? (
        <Empty>
          There is no rule yet. Rules are in the files that the settings list under rules.
        </Empty>
      ) : (
        <CardTable
          label="Rules"
          columns={["Rule", "Listens to", ["Runs", "number"], "When", "Last match", "State"]}
        >
          {rules.map((rule) => (
            <tr key={rule.id}>
              <td>
                <a href={`/rules/${encodeURIComponent(rule.id)}`}>{rule.id}</a>{" "}
                <a
                  class="soft"
                  href={`/rules/${encodeURIComponent(rule.id)}?edit=1`}
                  aria-label={`Edit ${rule.id}`}
                >
                  Edit
                </a>
                {rule.name !== undefined && <div class="soft">{rule.name}</div>}
              </td>
              <td>
                <code>{rule.triggers.join(", ")}</code>
              </td>
              <td class="number">{rule.runs}</td>
              <td>
                <Sparkline points={rule.points} name={rule.id} />
              </td>
              <td class="nowrap">
                {rule.lastRun === undefined ? "–" : <Time at={rule.lastRun} withDate />}
              </td>
              <td>
                <RuleState rule={rule} />
              </td>
            </tr>
          ))}
        </CardTable>
      )}
    </>
  );
}
