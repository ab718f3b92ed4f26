import type { RepairDeed, TraceRepair } from "../../../../insight/traces/outcome/repair.ts";
import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { type ItemCommand, UnknownItem } from "../outbox/unknown-item.tsx";

interface RepairProps {
  readonly repair: TraceRepair;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Explains how an operator can get a message answered after all, with buttons if the console can do it. */
export function Repair({ repair: { inWords, does }, mayChange, onChanged }: RepairProps) {
  return (
    <>
      <span class="soft">{inWords}</span>
      {does?.kind === "retry-item" && does.anyway === true ? (
        <UnknownItem
          id={does.id}
          mayChange={mayChange}
          change={(doing) => void changed(doing).then(onChanged)}
        />
      ) : (
        does !== undefined && (
          <button
            type="button"
            disabled={!mayChange}
            onClick={() => void done(does).then(onChanged)}
          >
            {LABELS[does.kind]}
          </button>
        )
      )}
    </>
  );
}

const LABELS: Readonly<Record<RepairDeed["kind"], string>> = {
  "retry-item": "Send now",
  "drop-item": "Drop",
  "resolve-escalation": "Give back to the bot",
};

/** Runs the command of a repair, such as retrying an outbox item, and shows its result. */
export function done(deed: RepairDeed): Promise<unknown> {
  const { kind, id } = deed;
  switch (kind) {
    case "retry-item":
      return changed(command("retryItem", { id }));
    case "drop-item":
      return changed(command("dropItem", { id }));
    case "resolve-escalation":
      return notify(command("resolveEscalation", { id }), (answer) =>
        answer.done ? "Rules and bots answer again." : answer.reason,
      );
  }
}

function changed(doing: ItemCommand): Promise<unknown> {
  return notify(doing, (answer) =>
    answer.done ? `It was ${answer.from} and is ${answer.to}.` : `${answer.reason}: ${answer.hint}`,
  );
}
