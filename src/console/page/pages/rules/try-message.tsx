import { useState } from "preact/hooks";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { ask } from "../../asking/api.ts";
import { told } from "../../frame/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { toneOf } from "../../parts/outcome.ts";

type Tried = QuestionAnswers["tryMessage"];

interface TryProps {
  /** A text in the place of a rule file's; without it the rules in force are asked. */
  readonly rules?: { readonly file: string; readonly text: string };
}

/** What the rules would say to a message. Nothing is sent. */
export function TryMessage({ rules }: TryProps) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState<Tried>();
  const title = rules === undefined ? "Try a message" : "Try a message on the edited rules";
  const attempt = async (): Promise<void> => {
    const request = { text, ...(rules !== undefined && { rules }) };
    setTried(await told(ask("tryMessage", request)));
  };
  return (
    <section class="card rules-try" aria-label={title}>
      <h2>{title}</h2>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") void attempt();
        }}
      >
        <label class="grow">
          <span class="hidden-text">What somebody says</span>
          <input
            value={text}
            placeholder="What somebody says; nothing is sent"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Try</button>
      </form>
      {tried !== undefined && <Answer tried={tried} />}
    </section>
  );
}

function Answer({ tried: { trace, problems, notAsked } }: { tried: Tried }) {
  if (trace === undefined) {
    return <p role="status">The edited text has errors: {problems[0]?.message}</p>;
  }
  const { outcome, items, verdicts } = trace;
  return (
    <div role="status">
      <p>
        <Chip tone={toneOf(outcome.word)}>{outcome.word}</Chip>{" "}
        {items.length === 0 && outcome.reason}
      </p>
      {items.map(({ id, type, text, inWords }) => (
        <p key={id} class="rules-said">
          <span class="mono soft">{type}</span> {text ?? inWords}
        </p>
      ))}
      {notAsked.length > 0 && (
        <p class="notice warn">Not asked while it is tried: {notAsked.join(", ")}</p>
      )}
      <details>
        <summary>What each rule says</summary>
        <ul>
          {verdicts.map(({ ruleId, inWords }) => (
            <li key={ruleId}>{inWords}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}
