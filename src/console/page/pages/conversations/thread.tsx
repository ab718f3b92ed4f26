import type { QuestionAnswers } from "../../../operations/operations.ts";
import { command } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useQuestion } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Chip } from "../../parts/chip.tsx";
import { toneOf } from "../../parts/outcome.ts";
import { Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { listSearch, route, setQuery } from "../../routing/route.ts";
import { StatusChip } from "../outbox/item-rows.tsx";
import { AnswerForm, ToAnswerForm } from "./answer-form.tsx";
import { HandOvers } from "./hand-overs.tsx";
import { Repair } from "./repair.tsx";

type Conversation = QuestionAnswers["conversation"];
type Turn = Conversation["turns"][number];

interface ThreadProps extends Pick<PageProps, "session"> {
  readonly lane: string;
}

/** Shows one conversation: each message with its outcome, and each answer. */
export function Thread({ lane, session }: ThreadProps) {
  const before = Number(route.value.query.get("turns") ?? "0");
  const conversationAnswer = useQuestion(
    "conversation",
    { lane, ...(before > 0 && { before }) },
    (batch) => before === 0 && batch.runtime.length > 0,
  );
  const mayChange = session.role === "operator";
  return (
    <section class="conversations-thread" aria-label="Conversation">
      <Shown answer={conversationAnswer}>
        {({ person, account, turns, escalations, earlier, answerable }) => (
          <>
            <div class="row">
              <h2>{person.username === undefined ? person.id : `@${person.username}`}</h2>
              {account.username !== undefined && <span class="soft">with @{account.username}</span>}
              <a href={`/conversations${listSearch()}`}>All conversations</a>
              {before === 0 && answerable !== undefined && <ToAnswerForm />}
            </div>
            <HandOvers
              all={escalations}
              mayChange={mayChange}
              onChanged={conversationAnswer.again}
            />
            <HeldAnswers
              turns={turns}
              person={person.id}
              account={account.id}
              mayChange={mayChange}
              onChanged={conversationAnswer.again}
            />
            {earlier !== undefined && <PageButton turns={String(earlier)}>Earlier</PageButton>}
            {before > 0 && <PageButton turns={undefined}>Newest</PageButton>}
            <ol class="conversations-turns">
              {turns.map((turn) => (
                <li key={keyOf(turn)} class={turn.kind}>
                  <TurnShown
                    turn={turn}
                    mayChange={mayChange}
                    onChanged={conversationAnswer.again}
                  />
                </li>
              ))}
            </ol>
            {before === 0 && (
              <AnswerForm
                {...{ lane, person, account, escalations, mayChange }}
                {...(answerable !== undefined && { answerable })}
                onChanged={conversationAnswer.again}
              />
            )}
          </>
        )}
      </Shown>
    </section>
  );
}

/** Button that shows the turns before a sequence number, or the newest turns. */
function PageButton({
  turns,
  children,
}: {
  readonly turns: string | undefined;
  readonly children: string;
}) {
  return (
    <button type="button" onClick={() => setQuery("turns", turns)}>
      {children}
    </button>
  );
}

interface HeldProps {
  readonly turns: readonly Turn[];
  readonly person: string;
  readonly account: string;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Shows how many answers to the person are held back, with buttons that apply to all of them. */
function HeldAnswers({ turns, person, account, mayChange, onChanged }: HeldProps) {
  const held = turns.filter((turn) => turn.kind === "answer" && turn.status === "held").length;
  if (held < 2) return null;
  const resume = (drop: boolean): void =>
    void notify(command("resume", { person, account, drop }), (answer) =>
      answer.done ? `${answer.items} answers ${drop ? "dropped" : "on the way"}.` : answer.reason,
    ).then(onChanged);
  return (
    <div class="card row">
      <Chip tone="warn">held</Chip>
      <span>{held} answers are held back.</span>
      <button type="button" disabled={!mayChange} onClick={() => resume(false)}>
        Send all
      </button>
      <button type="button" class="danger" disabled={!mayChange} onClick={() => resume(true)}>
        Drop all
      </button>
    </div>
  );
}

function keyOf(turn: Turn): string {
  const isItem = turn.kind === "answer" && turn.item !== undefined;
  return isItem ? `item ${turn.item}` : `event ${turn.seq}`;
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
          <p class="conversations-text" dir="auto">
            {text ?? inWords}
          </p>
          <p class="row">
            <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>
            {turn.late && <Chip tone="info">came late</Chip>}
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
      const { item, by, operator, text, inWords, status, reason, repair, at } = turn;
      return (
        <>
          <p class="conversations-text" dir="auto">
            {text ?? inWords}
          </p>
          <p class="row">
            <StatusChip {...turn} />
            <span class="soft">
              {operator === undefined ? "by" : "answered by"} {by}
              {reason !== undefined && status !== "sent" && `: ${reason}`}
            </span>
            {repair !== undefined && (
              <Repair repair={repair} mayChange={mayChange} onChanged={onChanged} />
            )}
            {item !== undefined && <a href={`/outbox/${item}`}>Item {item}</a>}
            <Time at={at} />
          </p>
        </>
      );
    }
  }
}
