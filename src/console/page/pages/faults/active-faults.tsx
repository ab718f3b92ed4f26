import { CardTable } from "../../parts/card-table.tsx";
import { faultCommand } from "../../../operations/faults/fault-command.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import type { FaultSpec } from "../../../../sandbox/control/objects.ts";
import { command, sandbox } from "../../asking/api.ts";
import { platformNow } from "../../parts/clock.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { isOver } from "../../parts/fault-over.ts";
import { Empty } from "../../parts/states.tsx";
import { inputText } from "../delivery/stretch.ts";

interface ActiveProps {
  readonly trouble: QuestionAnswers["trouble"];
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Lists the active breakages and faults, each fault with the number of times it has happened. */
export function ActiveFaults({
  trouble: { faults, breakages },
  mayChange,
  onChanged,
}: ActiveProps) {
  const remove = (path: string): void => {
    const doing = sandbox.delete<{ removed: number }>(path);
    void notify(doing, ({ removed }) =>
      removed === 1 ? "1 removed." : `${removed} removed.`,
    ).then(onChanged);
  };
  if (faults.length + breakages.length === 0) {
    return <Empty>No fault is active: everything works. Start one of those below.</Empty>;
  }
  return (
    <>
      <CardTable
        label="Active faults"
        columns={[
          ["Fault", "number"],
          "State",
          "What goes wrong",
          "When",
          ["Happened", "number"],
          ["Matched", "number"],
          ["Actions", "hidden"],
        ]}
      >
        {breakages.map((one) => (
          <BreakageRow key={one.kind} breakage={one} {...{ mayChange, onChanged }} />
        ))}
        {faults.map((one) => (
          <FaultRow
            key={one.id}
            fault={one}
            mayChange={mayChange}
            remove={() => remove(`/faults/${one.id}`)}
          />
        ))}
      </CardTable>
      {faults.length > 0 && (
        <p>
          <button
            type="button"
            class="danger"
            disabled={!mayChange}
            onClick={() => remove("/faults")}
          >
            Remove all faults
          </button>
        </p>
      )}
    </>
  );
}

interface BreakageRowProps extends Pick<ActiveProps, "mayChange" | "onChanged"> {
  readonly breakage: QuestionAnswers["trouble"]["breakages"][number];
}

/** Row of a breakage. */
function BreakageRow({ breakage, mayChange, onChanged }: BreakageRowProps) {
  const { kind, says, until, undo } = breakage;
  return (
    <tr>
      <td />
      <td>
        <Chip tone="warn">active</Chip>
      </td>
      <td class="faults-what">
        <div class="mono">{says}</div>
        {undo !== undefined && (
          <button
            type="button"
            disabled={!mayChange}
            onClick={() =>
              void notify(command("mend", { kind }), (done) => done.says).then(onChanged)
            }
          >
            {undo}
          </button>
        )}
      </td>
      <td class="nowrap">{until === undefined ? "until it is undone" : untilWords(until)}</td>
      <td colSpan={3} />
    </tr>
  );
}

interface FaultRowProps {
  readonly fault: QuestionAnswers["trouble"]["faults"][number];
  readonly mayChange: boolean;
  readonly remove: () => void;
}

function FaultRow({ fault, mayChange, remove }: FaultRowProps) {
  const hasEnded = isOver(fault, platformNow.value);
  return (
    <tr>
      <td class="number">{fault.id}</td>
      <td>
        <Chip tone={hasEnded ? "idle" : "warn"}>{hasEnded ? "over" : "active"}</Chip>
      </td>
      <td class="mono faults-what">{fault.what}</td>
      <td class="nowrap">{whenOf(fault.when)}</td>
      <td class="number">{fault.hits}</td>
      <td class="number">{fault.seen}</td>
      <td class="nowrap">
        <CopyButton label="Copy as command" text={() => faultCommand(fault)} />
        <button
          type="button"
          class="quiet danger"
          disabled={!mayChange}
          aria-label={`Remove fault ${fault.id}`}
          onClick={remove}
        >
          Remove
        </button>
      </td>
    </tr>
  );
}

/** Describes when a fault happens: `next 3 times`, `every 5th time`, `with probability 0.1`. */
function whenOf(when: FaultSpec["when"]): string {
  if (when === undefined) return "next time";
  if ("next" in when) return when.next === 1 ? "next time" : `next ${when.next} times`;
  if ("every" in when) return when.every === 1 ? "every time" : `every ${when.every}th time`;
  if ("probability" in when) return `with probability ${when.probability}`;
  return "until" in when ? untilWords(when.until) : "every time";
}

/** @param time Time in ISO 8601, by the sandbox's clock. */
function untilWords(time: string): string {
  return `until ${inputText(Date.parse(time)).replace("T", " ")}`;
}
