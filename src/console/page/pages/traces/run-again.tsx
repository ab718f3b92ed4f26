import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { ask } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Compared } from "../../parts/compared.tsx";
import { TriedAnswer } from "../../parts/tried-answer.tsx";

interface RunAgainProps {
  readonly of: string;
  /** Text of the original event, which a person can edit; undefined if the event has no text. */
  readonly text: string | undefined;
}

/** Form that runs the event, or a copy of it with another text, through the current rules. Nothing is sent. */
export function RunAgain({ of, text }: RunAgainProps) {
  const [edited, setEdited] = useState(text);
  const [again, setAgain] = useState<QuestionAnswers["runAgain"]>();
  const run = async (): Promise<void> => {
    const changed = edited === undefined || edited === text ? {} : { text: edited };
    setAgain(await notify(ask("runAgain", { of, ...changed })));
  };
  return (
    <details class="card">
      <summary>Run again without sending</summary>
      <Form class="row" onSubmit={() => void run()}>
        {edited !== undefined && (
          <label class="grow">
            <span class="hidden-text">What the person writes</span>
            <input
              dir="auto"
              value={edited}
              onInput={({ currentTarget }) => setEdited(currentTarget.value)}
            />
          </label>
        )}
        <button type="submit">Run</button>
      </Form>
      {again !== undefined && (
        <>
          <p>
            Compared with the result then: <Compared compared={again.compared} />
          </p>
          <TriedAnswer {...again} />
        </>
      )}
    </details>
  );
}
