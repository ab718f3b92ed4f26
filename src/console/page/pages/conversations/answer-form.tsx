import { useRef, useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { command } from "../../asking/api.ts";
import { notify, toast } from "../../parts/toasts.tsx";
import { EndHandOver } from "./hand-overs.tsx";

type Conversation = QuestionAnswers["conversation"];

interface AnswerFormProps extends Pick<
  Conversation,
  "lane" | "person" | "account" | "answerable" | "escalations"
> {
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Id of the form's text field. */
const FIELD = "answer-by-hand";

/** Button that moves the focus to the answer form below the conversation. */
export function ToAnswerForm() {
  return (
    <button type="button" onClick={() => document.getElementById(FIELD)?.focus()}>
      Answer by hand
    </button>
  );
}

/** Form with which an operator answers the person by hand. The answer is sent by the bot's account. */
export function AnswerForm(props: AnswerFormProps) {
  const { person, account, answerable, escalations, mayChange, onChanged } = props;
  const [name, setName] = useState(localStorage.getItem(NAME) ?? "");
  const { text, setText, isBusy, send } = useAnswer(props, name.trim());
  if (answerable === undefined) return null;
  const isSilent = escalations.some(({ silences }) => silences !== undefined);
  return (
    <Form class="card stack conversations-answer" onSubmit={() => void send()}>
      <label for={FIELD}>
        Answer as @{account.username ?? account.id}{" "}
        <span class="soft">
          {answerable.as === "reply_dm" ? "in a direct message" : "in public, in reply to the post"}
        </span>
      </label>
      <textarea
        id={FIELD}
        dir="auto"
        rows={2}
        value={text}
        disabled={!mayChange}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div class="row">
        <button type="submit" class="go" disabled={!mayChange || isBusy || text.trim() === ""}>
          Answer
        </button>
        <label>
          Your name{" "}
          <input
            size={12}
            maxLength={60}
            value={name}
            disabled={!mayChange}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
              localStorage.setItem(NAME, currentTarget.value);
            }}
          />
        </label>
        {escalations.map((one) => (
          <EndHandOver key={one.id} escalation={one} mayChange={mayChange} onChanged={onChanged} />
        ))}
      </div>
      {isSilent && (
        <p class="soft">
          The bot stays silent for {person.username === undefined ? "them" : `@${person.username}`}{" "}
          until you give them back: an answer does not end the hand-over.
        </p>
      )}
    </Form>
  );
}

/** Unsent texts by conversation. They outlast the form, which closes for earlier turns and other conversations. */
const unsent = new Map<string, string>();

/** Key of the operator's name in the browser's local storage. */
const NAME = "answerback.operator";

/**
 * State of the answer form: its text, and a function that sends it. A text keeps its idempotency key until the server
 * accepts it.
 */
function useAnswer({ lane, account, answerable, onChanged }: AnswerFormProps, by: string) {
  const [text, showText] = useState(unsent.get(lane) ?? "");
  const setText = (next: string): void => {
    unsent.set(lane, next);
    showText(next);
  };
  const [isBusy, setIsBusy] = useState(false);
  const draft = useRef({ text: "", key: "" });
  const send = async (): Promise<void> => {
    if (answerable === undefined) return;
    if (draft.current.text !== text) draft.current = { text, key: drawnKey() };
    setIsBusy(true);
    const answered = command("answerByHand", {
      account: account.id,
      answers: answerable.seq,
      text,
      key: draft.current.key,
      ...(by !== "" && { by }),
    });
    const answer = await notify(answered);
    setIsBusy(false);
    if (answer === undefined) return;
    if (!answer.done) return toast(`${answer.reason}; ${answer.hint}`, true);
    toast("The answer is on its way.");
    draft.current = { text: "", key: "" };
    setText("");
    onChanged();
  };
  return { text, setText, isBusy, send };
}

/** Creates a random idempotency key, with which a repeated click or request sends only one answer. */
function drawnKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");
}
