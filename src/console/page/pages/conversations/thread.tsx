import type { QuestionAnswers } from "../../../operations/operations.ts";
import { ask } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Chip } from "../../parts/chip.tsx";
import { toneOf } from "../../parts/outcome.ts";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { route, setQuery } from "../../routing/route.ts";
import { StatusChip } from "../outbox/item-rows.tsx";
import { done, Repair } from "./repair.tsx";

type Conversation = QuestionAnswers["conversation"];
type Turn = Conversation["turns"][number];

interface ThreadProps extends Pick<PageProps, "session"> {
  readonly lane: string;
}

/** One conversation: what was said and answered, and what became of each message. */
export function Thread({ lane, session }: ThreadProps) {
  const before = Number(route.value.query.get("turns") ?? "0");
  const asked = useAsked(
    (signal) => ask("conversation", { lane, ...(before > 0 && { before }) }, signal),
    [lane, before],
    (batch) => before === 0 && batch.runtime.length > 0,
  );
  const mayChange = session.role === "operator";
  return (
    <section class="conversations-thread" aria-label="Conversation">
      <Shown asked={asked}>
        {({ person, account, turns, escalations, earlier }) => (
          <>
            <div class="row">
              <h2>{person.username === undefined ? person.id : `@${person.username}`}</h2>
              {account.username !== undefined && <span class="soft">with @{account.username}</span>}
              <a href={`/conversations${location.search}`}>All conversations</a>
            </div>
            {escalations.map(({ id, queue, note, at, silences }) => (
              <div key={id} class="card row conversations-asked">
                <Chip tone="warn">escalated</Chip>
                <span>
                  {queue} is asked to take over since <Time at={at} />
                  {note !== undefined && `: ${note}`}
                  {silences !== undefined && ". The bot is silent meanwhile."}
                </span>
                <button
                  type="button"
                  disabled={!mayChange}
                  onClick={() => void done({ kind: "resolve-escalation", id }).then(asked.again)}
                >
                  {silences === undefined ? "It is done" : "Give back to the bot"}
                </button>
              </div>
            ))}
            {earlier !== undefined && (
              <button type="button" onClick={() => setQuery("turns", String(earlier))}>
                Earlier
              </button>
            )}
            <ol class="conversations-turns">
              {turns.map((turn) => (
                <li key={keyOf(turn)} class={turn.kind}>
                  <TurnShown turn={turn} mayChange={mayChange} onChanged={asked.again} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </section>
  );
}

function keyOf(turn: Turn): string {
  return turn.kind === "answer" ? `item ${turn.item}` : `event ${turn.seq}`;
}

interface TurnProps {
  readonly turn: Turn;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

function TurnShown({ turn, mayChange, onChanged }: TurnProps) {
  switch (turn.kind) {
    case "said": {
      const { text, inWords, outcome, seq, at } = turn;
      return (
        <>
          <p class="conversations-text">{text ?? inWords}</p>
          <p class="row">
            <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>
            {outcome.word !== "answered" && <span>{outcome.reason}</span>}
            {outcome.repair !== undefined && (
              <Repair repair={outcome.repair} mayChange={mayChange} onChanged={onChanged} />
            )}
            <a href={`/traces/${seq}`}>Details</a>
            <Time at={at} />
          </p>
        </>
      );
    }
    case "other":
      return (
        <p class="row soft">
          {turn.inWords} <a href={`/traces/${turn.seq}`}>Details</a> <Time at={turn.at} />
        </p>
      );
    case "answer": {
      const { item, by, text, inWords, status, reason, repair, at } = turn;
      return (
        <>
          <p class="conversations-text">{text ?? inWords}</p>
          <p class="row">
            <StatusChip status={status} />
            <span class="soft">
              by {by}
              {reason !== undefined && status !== "sent" && `: ${reason}`}
            </span>
            {repair !== undefined && (
              <Repair repair={repair} mayChange={mayChange} onChanged={onChanged} />
            )}
            <a href={`/outbox/${item}`}>Item {item}</a>
            <Time at={at} />
          </p>
        </>
      );
    }
  }
}
