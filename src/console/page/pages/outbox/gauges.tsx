import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { duration } from "../../parts/time.tsx";

interface GaugesProps {
  readonly limits: QuestionAnswers["limits"];
  readonly handles: ReadonlyMap<string, string>;
}

const WIDTH = 120;

/** What each limit leaves, as a bar with its numbers; and endpoints that don't answer. */
export function Gauges({ limits: { budgets, circuits }, handles }: GaugesProps) {
  const open = circuits.filter(({ isOpen }) => isOpen);
  if (budgets.length === 0 && open.length === 0) {
    return <Empty>No answer of the platform has told of a limit yet.</Empty>;
  }
  const whose = (account?: string): string =>
    account === undefined ? "the app" : `@${handles.get(account) ?? account}`;
  return (
    <>
      {open.map(({ endpoint, account }) => (
        <p key={`${endpoint} ${account ?? ""}`} class="notice warn">
          <Chip tone="warn">stalled</Chip> <code>{endpoint}</code> for {whose(account)}: only a
          probe goes there now and then.
        </p>
      ))}
      <ul class="outbox-gauges">
        {budgets.map(({ endpoint, account, windowMs, limit, remaining }) => {
          const left = limit === 0 ? 0 : remaining / limit;
          const look = left === 0 ? "bad" : left < 0.25 ? "warn" : "good";
          return (
            <li key={`${endpoint} ${account ?? ""} ${windowMs}`}>
              <code>
                {endpoint.split(/(?=\/)/).map((part) => (
                  <>
                    {part}
                    <wbr />
                  </>
                ))}
              </code>
              <span class="soft">
                {whose(account)}, in {duration(windowMs)}
              </span>
              <svg viewBox={`0 0 ${WIDTH} 10`} aria-hidden="true" class={look}>
                <rect width={WIDTH} height="10" rx="5" class="rail" />
                <rect width={WIDTH * left} height="10" rx="5" />
              </svg>
              <span>
                {remaining} of {limit} left
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
