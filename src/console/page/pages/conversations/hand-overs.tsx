import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";
import { done } from "./repair.tsx";

type Escalation = QuestionAnswers["conversation"]["escalations"][number];

interface HandOverProps {
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Shows the hand-overs of a conversation: the queue of people who were asked to take over, and since when. */
export function HandOvers({
  all,
  ...props
}: HandOverProps & { readonly all: readonly Escalation[] }) {
  return all.map((one) => (
    <div key={one.id} class="card row conversations-asked">
      <Chip tone="warn">escalated</Chip>
      <span>
        {one.queue} is asked to take over since <Time at={one.at} />
        {one.note !== undefined && `: ${one.note}`}
        {one.silences !== undefined && ". The bot is silent meanwhile."}
      </span>
      <EndHandOver escalation={one} {...props} />
    </div>
  ));
}

interface EndProps extends HandOverProps {
  readonly escalation: Pick<Escalation, "id" | "silences">;
}

/** Button that resolves a hand-over. Rules and bots then answer the person again. */
export function EndHandOver({ escalation: { id, silences }, mayChange, onChanged }: EndProps) {
  return (
    <button
      type="button"
      disabled={!mayChange}
      onClick={() => void done({ kind: "resolve-escalation", id }).then(onChanged)}
    >
      {silences === undefined ? "Resolve" : "Give back to the bot"}
    </button>
  );
}
