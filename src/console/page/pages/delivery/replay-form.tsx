import { Form } from "../../parts/form.tsx";
import { handWindow, replayReach } from "../../../../runtime/records.ts";
import { command } from "../../asking/api.ts";
import { notify, toast } from "../../parts/toasts.tsx";
import { duration } from "../../parts/duration.ts";
import { dayTime, inputText, type PickedTime } from "./stretch.ts";
import { counted } from "../../../../text/counted.ts";

interface FormProps {
  readonly now: number;
  readonly selected: PickedTime;
  readonly onSelect: (stretch: PickedTime) => void;
  readonly mayChange: boolean;
  readonly onAsked: () => void;
}

/** Form that requests a replay of a period. If the platform would refuse the replay, it shows the reason beforehand. */
export function ReplayForm({ now, selected, onSelect, mayChange, onAsked }: FormProps) {
  const checked = handWindow(selected, now);
  const { oldest, latestFrom, latestTo } = replayReach(now);
  const change = (part: keyof PickedTime, text: string): void => {
    const at = new Date(text).getTime();
    if (!Number.isNaN(at)) onSelect({ ...selected, [part]: at });
  };
  return (
    <Form
      class="delivery-form"
      label="Replay a period"
      onSubmit={() => void askForReplay(selected).then(onAsked)}
    >
      <div class="row">
        {(["from", "to"] as const).map((part) => (
          <label key={part}>
            {part === "from" ? "From" : "To (exclusive)"}{" "}
            <input
              type="datetime-local"
              step={60}
              value={inputText(selected[part])}
              aria-describedby="delivery-says"
              aria-invalid={!checked.ok}
              onInput={({ currentTarget }) => change(part, currentTarget.value)}
            />
          </label>
        ))}
        <button type="submit" class="go" disabled={!mayChange || !checked.ok}>
          Replay
        </button>
      </div>
      <p id="delivery-says" role="status" class={checked.ok ? "soft" : "notice bad"}>
        {checked.ok
          ? `${duration(selected.to - selected.from)} in ${counted(checked.jobs.length, "job")}. Events that were received before are not processed twice.`
          : `${checked.problem}. ${hintOf(checked.hint)}`}
      </p>
      <p class="soft">
        Drag over a strip, or enter two times. At the moment, a replay may begin between{" "}
        {dayTime(oldest, now)} and {dayTime(latestFrom, now)}, and end by {dayTime(latestTo, now)}.
      </p>
    </Form>
  );
}

/** Removes `--from` and `--to`, the flags of the command line, from a hint that is shown in the form. */
function hintOf(hint: string): string {
  return hint.replace(/--(from|to) (\S+Z)/, "$2").replaceAll(/--(from|to)\b/g, "$1");
}

/** Requests a replay and shows the result. */
export async function askForReplay(stretch: PickedTime): Promise<void> {
  const answer = await notify(command("replay", stretch));
  if (answer === undefined) return;
  if (answer.accepted) {
    toast(`Requested: ${counted(answer.ids.length, "replay job")}.`);
  } else toast(`${answer.problem}. ${hintOf(answer.hint)}`, true);
}
