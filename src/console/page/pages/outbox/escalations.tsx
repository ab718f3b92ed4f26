import type { CommandAnswers, QuestionAnswers } from "../../../operations/operations.ts";
import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip, type Tone } from "../../parts/chip.tsx";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";

type Escalation = QuestionAnswers["escalations"][number];

const TONES: Readonly<Record<Escalation["priority"], Tone>> = {
  low: "idle",
  normal: "info",
  high: "warn",
  urgent: "bad",
};

/** Describes the result of resolving a hand-over. Another open hand-over may still keep the bot silent. */
function resolvedText(answer: CommandAnswers["resolveEscalation"]): string {
  if (!answer.done) return `Not resolved: ${answer.reason}.`;
  return answer.silentBy === undefined
    ? "Resolved."
    : `Resolved; rules and bots are still silent there by escalation ${answer.silentBy.join(", ")}.`;
}

interface EscalationsProps {
  /** Open hand-overs, newest first. */
  readonly all: readonly Escalation[];
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Lists the open hand-overs, oldest first. */
export function Escalations({ all, mayChange, onChanged }: EscalationsProps) {
  const open = all.toReversed();
  if (open.length === 0) {
    return <Empty>No open hand-over. A rule hands over with the step escalate.</Empty>;
  }
  return (
    <ul class="outbox-escalations">
      {open.map(({ id, account, username, queue, priority, note, at, seq, silences }) => (
        <li key={id} class="card">
          <div class="row">
            <Chip tone={TONES[priority]}>{priority}</Chip>
            <strong>{queue}</strong>
            <span>{username === undefined ? "" : `@${username}`}</span>
            <Time at={at} />
          </div>
          {note !== undefined && <p>{note}</p>}
          {silences !== undefined && (
            <p class="soft">
              Rules and bots are silent {silences.scope === account ? "for everybody" : "there"}{" "}
              until it is resolved
              {silences.until !== undefined && (
                <>
                  , at most until <Time at={silences.until} withDate />
                </>
              )}
              .
            </p>
          )}
          <div class="row">
            <button
              type="button"
              disabled={!mayChange}
              onClick={() =>
                void notify(command("resolveEscalation", { id }), resolvedText).then(onChanged)
              }
            >
              Resolve
            </button>
            <a href={`/traces/${seq}`}>Why it was handed over</a>
          </div>
        </li>
      ))}
    </ul>
  );
}
