import { Chip } from "../../parts/chip.tsx";
import type { ShownOverview } from "./overview.ts";

/**
 * Shows the state of a rule: disabled, on trial, in error, hidden by an earlier rule, never matched, or running. The
 * last two are left out for a rule that is not live, because its matches are not counted.
 */
export function RuleState({ rule }: { rule: ShownOverview["rules"][number] }) {
  const { enabled, stage, lastError, runs, hidden } = rule;
  const isLive = enabled && stage === "live";
  return (
    <div class="stack">
      {!enabled && <Chip tone="idle">disabled</Chip>}
      {stage !== "live" && <Chip tone="info">{stage}</Chip>}
      {lastError !== undefined && (
        <span>
          <Chip tone="bad">error</Chip> {lastError.reason}
        </span>
      )}
      {hidden.map(({ message }) => (
        <span key={message}>
          <Chip tone="warn">hidden</Chip> {message}
        </span>
      ))}
      {runs === 0 && isLive && <Chip tone="idle">never matched</Chip>}
      {runs > 0 && lastError === undefined && isLive && <Chip tone="good">runs</Chip>}
    </div>
  );
}
