import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { ask } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { TriedAnswer } from "../../parts/tried-answer.tsx";

type Tried = QuestionAnswers["tryMessage"];

interface TryProps {
  /** Unsaved text of a rule file. Absent: the current rules are tried. */
  readonly rules?: { readonly file: string; readonly text: string };
}

/** Form that runs a message through the rules. Nothing is sent. */
export function TryMessage({ rules }: TryProps) {
  const [text, setText] = useState("");
  const [tried, setTried] = useState<Tried>();
  const title = rules === undefined ? "Try a message" : "Try a message on the edited rules";
  const attempt = async (): Promise<void> => {
    const request = { text, ...(rules !== undefined && { rules }) };
    setTried(await notify(ask("tryMessage", request)));
  };
  return (
    <section class="card rules-try" aria-label={title}>
      <h2>{title}</h2>
      <Form
        class="row"
        onSubmit={() => {
          if (text.trim() !== "") void attempt();
        }}
      >
        <label class="grow">
          <span class="hidden-text">What somebody says</span>
          <input
            dir="auto"
            value={text}
            placeholder="What somebody says; nothing is sent"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit">Try</button>
      </Form>
      {tried !== undefined && <TriedAnswer {...tried} />}
    </section>
  );
}
