import { CardTable } from "../../parts/card-table.tsx";
import { faultCommand } from "../../../operations/faults/fault-command.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import type { FaultSpec } from "../../../../sandbox/control/objects.ts";
import { command, sandbox } from "../../asking/api.ts";
import { platformNow } from "../../parts/clock.ts";
import { told } from "../../parts/toasts.tsx";
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

/** What is broken, and the faults that were added, with how often each has happened. */
export function ActiveFaults({
  trouble: { faults, breakages },
  mayChange,
  onChanged,
}: ActiveProps) {
  const remove = (path: string): void => {
    const doing = sandbox.delete<{ removed: number }>(path);
    void told(doing, ({ removed }) => (removed === 1 ? "1 removed." : `${removed} removed.`)).then(
      onChanged,
    );
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
          ["What can be done", "hidden"],
        ]}
      >
        {breakages.map(({ kind, says, until, undo }) => (
          <tr key={kind}>
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
                    void told(command("mend", { kind }), (done) => done.says).then(onChanged)
                  }
                >
                  {undo}
                </button>
              )}
            </td>
            <td class="nowrap">{until === undefined ? "until it is undone" : untilWords(until)}</td>
            <td colSpan={3} />
          </tr>
        ))}
        {faults.map((one) => (
          <tr key={one.id}>
            <td class="number">{one.id}</td>
            <td>
              {isOver(one, platformNow.value) ? (
                <Chip tone="idle">over</Chip>
              ) : (
                <Chip tone="warn">active</Chip>
              )}
            </td>
            <td class="mono faults-what">{one.what}</td>
            <td class="nowrap">{whenOf(one.when)}</td>
            <td class="number">{one.hits}</td>
            <td class="number">{one.seen}</td>
            <td class="nowrap">
              <CopyButton label="Copy as command" text={() => faultCommand(one)} />
              <button
                type="button"
                class="quiet danger"
                disabled={!mayChange}
                aria-label={`Remove fault ${one.id}`}
                onClick={() => remove(`/faults/${one.id}`)}
              >
                Remove
              </button>
            </td>
          </tr>
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

/** Words for the time at which a fault happens. */
function whenOf(when: FaultSpec["when"]): string {
  if (when === undefined) return "next time";
  if ("next" in when) return when.next === 1 ? "next time" : `next ${when.next} times`;
  if ("every" in when) return when.every === 1 ? "every time" : `every ${when.every}th time`;
  if ("probability" in when) return `with probability ${when.probability}`;
  return "until" in when ? untilWords(when.until) : "every time";
}

/** @param time ISO 8601. */
function untilWords(time: string): string {
  return `until ${inputText(Date.parse(time)).replace("T", " ")}`;
}
