import type { QuestionAnswers } from "../../../operations/operations.ts";
import type { LiveCost as LiveCostOfHour } from "../../../../sandbox/control/objects.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { LiveCost } from "./live-cost.tsx";
import { LimitGauge } from "./limit-gauge.tsx";

interface GaugesProps {
  /**
   * Requests of the last hour. Shown instead of `limits` if the sandbox enforces no rate limits: then the limits in its
   * headers always stay full.
   */
  readonly liveCost: LiveCostOfHour | undefined;
  readonly limits: QuestionAnswers["limits"];
  readonly handles: ReadonlyMap<string, string>;
}

/** Shows the remaining part of each rate limit as a bar, and the endpoints whose circuit breaker is open. */
export function Gauges({ limits: { budgets, circuits }, liveCost, handles }: GaugesProps) {
  const isOff = liveCost?.enabled === false;
  const open = circuits.filter(({ isOpen }) => isOpen);
  if (!isOff && budgets.length === 0 && open.length === 0) {
    return <Empty>No answer of the platform has named a limit yet.</Empty>;
  }
  const whose = (account?: string): string =>
    account === undefined ? "the app" : `@${handles.get(account) ?? account}`;
  return (
    <>
      {open.map(({ endpoint, account }) => (
        <p key={`${endpoint} ${account ?? ""}`} class="notice warn">
          <Chip tone="warn">stalled</Chip> <code>{endpoint}</code> for {whose(account)}: only a
          trial request is sent there now and then.
        </p>
      ))}
      {isOff ? (
        <LiveCost cost={liveCost} handles={handles} />
      ) : (
        <ul class="outbox-gauges">
          {budgets.map(({ endpoint, account, windowMs, limit, remaining }) => (
            <LimitGauge
              key={`${endpoint} ${account ?? ""} ${windowMs}`}
              endpoint={endpoint}
              whose={whose(account)}
              windowMs={windowMs}
              remainingShare={limit === 0 ? 0 : remaining / limit}
              text={`${remaining} of ${limit} left`}
            />
          ))}
        </ul>
      )}
    </>
  );
}
