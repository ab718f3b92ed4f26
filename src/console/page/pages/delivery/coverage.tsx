import { CardTable } from "../../parts/card-table.tsx";
import { useEffect, useRef } from "preact/hooks";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Empty } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";
import { STATE_WORDS } from "./cells.ts";
import { Legend } from "./legend.tsx";
import { Strip } from "./strip.tsx";
import type { PickedTime } from "./stretch.ts";

interface CoverageProps {
  readonly coverage: QuestionAnswers["coverage"];
  readonly now: number;
  readonly selected: PickedTime | undefined;
  readonly onSelect: (stretch: PickedTime) => void;
}

/** Shows, as a strip and as a table, the periods for which each account's events were received or missed. */
export function Coverage({ coverage: { accounts }, now, selected, onSelect }: CoverageProps) {
  const strips = useRef<HTMLDivElement>(null);
  // If the timeline is wider than the page, scrolls to its newest part.
  useEffect(() => strips.current?.scrollTo({ left: strips.current.scrollWidth }), []);
  if (accounts.length === 0) {
    return <Empty>No account is linked. Link one with: answerback login</Empty>;
  }
  return (
    <>
      <div
        ref={strips}
        class="scrolls delivery-strips"
        tabIndex={0}
        role="region"
        aria-label="Coverage of 24 hours"
      >
        {accounts.map((account) => (
          <div key={account.id} class="delivery-account">
            <h3>
              @{account.username}{" "}
              <span class="soft">
                {account.reachable ? "deliveries arrive" : "no deliveries arrive now"}
              </span>
            </h3>
            <Strip account={account} now={now} selected={selected} onSelect={onSelect} />
          </div>
        ))}
      </div>
      <Legend />
      <details>
        <summary>The same as a table</summary>
        <CardTable
          label="Coverage as a table"
          columns={["Account", "From", "To", ["For", "number"], "State", "Why"]}
        >
          {accounts.flatMap(({ id, username, spans }) =>
            spans.map(({ from, to, state, reason }) => (
              <tr key={`${id} ${from}`}>
                <td>@{username}</td>
                <td class="nowrap">
                  <Time at={from} withDate />
                </td>
                <td class="nowrap">
                  <Time at={to} withDate />
                </td>
                <td class="number">{duration(to - from)}</td>
                <td>{STATE_WORDS[state]}</td>
                <td>{reason ?? ""}</td>
              </tr>
            )),
          )}
        </CardTable>
      </details>
    </>
  );
}
