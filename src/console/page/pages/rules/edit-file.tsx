import { useEffect, useRef, useState } from "preact/hooks";
import type { Problem } from "../../../../config/problem.ts";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask, command, Refused } from "../../asking/api.ts";
import { notify, toast } from "../../parts/toasts.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import type { Editor } from "./editor.ts";
import { Problems } from "./problems.tsx";
import { TryMessage } from "./try-message.tsx";
import { WouldChange } from "./would-change.tsx";

const CHECK_AFTER_MS = 400;
const EVENTS = 1_000;

/** Unsaved text, and the text on disk from which its author began. */
interface Draft {
  readonly written: string;
  readonly saved: string;
}

/** Drafts by rule file. They outlast their editor, which closes when another page or period is chosen. */
const drafts = new Map<string, Draft>();

addEventListener("beforeunload", (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** Returns the text that is saved: it always ends with a line break. */
function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}

interface EditProps {
  readonly file: string;
  /** Text of the rule file on disk. */
  readonly text: string;
  readonly session: SessionAnswer;
  /** Discards the edit, and opens the text on disk. */
  readonly openAgain: () => void;
}

/** Editor of a rule file, with its draft if there is one. It shows problems and effects of the edit, and saves it. */
export function EditFile({ session, ...props }: EditProps) {
  const { file } = props;
  const { place, editor, text, saved, setSaved, isDraft, discard } = useDraft(props);
  const [test, setTest] = useState<QuestionAnswers["testEdit"]>();
  const [hasAskedTwice, askTwice] = useState(false);
  const [isOlder, setOlder] = useState<string>();
  const mayTry = session.role === "operator";
  const problems = useProblems({ file, text, mayTry, editor });
  useEffect(() => {
    askTwice(false);
    setTest(undefined);
  }, [text]);
  const hasErrors = problems.some(({ severity }) => severity === "error");
  const mayChange = mayTry && session.target === "sandbox";
  const save = async (): Promise<void> => {
    if (hasErrors && !hasAskedTwice) return askTwice(true);
    try {
      await command("saveRules", { file, text, before: saved, anyway: hasAskedTwice });
      setSaved(text);
      setOlder(undefined);
      toast(`${file} is saved.`);
    } catch (error) {
      if (error instanceof Refused && error.status === 409) setOlder(error.message);
      else toast(error instanceof Error ? error.message : String(error), true);
    }
  };
  return (
    <>
      <div ref={place} class="rules-editor" />
      <Problems problems={problems} />
      {isOlder !== undefined && <NewerOnDisk reason={isOlder} text={text} openAgain={discard} />}
      <div class="row">
        <button
          type="button"
          disabled={!mayTry || text === saved || hasErrors}
          onClick={() => void notify(ask("testEdit", { file, text, events: EVENTS })).then(setTest)}
        >
          What would change
        </button>
        <button
          type="button"
          class="go"
          disabled={!mayChange || text === saved}
          onClick={() => void save()}
        >
          {hasAskedTwice ? "Save anyway" : "Save"}
        </button>
        {isDraft && <Discard discard={discard} />}
        {hasAskedTwice && (
          <span role="status">It has errors: broken rules keep their last valid version.</span>
        )}
      </div>
      <Rights mayTry={mayTry} mayChange={mayChange} />
      {test !== undefined && <WouldChange tested={test} />}
      {mayTry && text !== saved && <TryMessage rules={{ file, text }} />}
    </>
  );
}

/** State of the edit: the editor, the text to save, and the text on disk from which the edit began. */
function useDraft({ file, text: onDisk, openAgain }: Omit<EditProps, "session">) {
  const [first] = useState(() => drafts.get(file) ?? { written: onDisk, saved: onDisk });
  const { place, editor, written } = useEditor(first.written);
  const [saved, setSaved] = useState(first.saved);
  const text = ended(written);
  const isDraft = text !== ended(saved);
  useEffect(() => {
    if (isDraft) drafts.set(file, { written, saved });
    else drafts.delete(file);
  }, [written, saved]);
  const discard = (): void => {
    drafts.delete(file);
    openAgain();
  };
  return { place, editor, text, saved, setSaved, isDraft, discard };
}

function Discard({ discard }: { discard: () => void }) {
  return (
    <button type="button" class="quiet" onClick={discard}>
      Discard the edit
    </button>
  );
}

/** States which parts of the editor the role and the target forbid: saving, or checking and trying. */
function Rights({ mayTry, mayChange }: { mayTry: boolean; mayChange: boolean }) {
  return (
    <>
      {!mayChange && (
        <p class="soft">Rules of a live bot are changed in their files, and kept in git.</p>
      )}
      {!mayTry && (
        <p class="soft">
          Checking and trying an edited text needs the admin token: unlock the console.
        </p>
      )}
    </>
  );
}

interface NewerOnDiskProps {
  /** Reason why the text can't be saved. */
  readonly reason: string;
  readonly text: string;
  readonly openAgain: () => void;
}

/** Notice that the file has changed on disk since it was opened here. */
function NewerOnDisk({ reason, text, openAgain }: NewerOnDiskProps) {
  return (
    <div class="notice bad" role="alert">
      <p>{reason}.</p>
      <div class="row">
        <CopyButton label="Copy my text" text={text} />
        <button type="button" onClick={openAgain}>
          Open the version on disk
        </button>
      </div>
    </div>
  );
}

/** Opens an editor in the element `place`. The editor is closed with the component. `written` is its current text. */
function useEditor(text: string) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const [written, setWritten] = useState(text);
  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      const [{ openEditor }, schema] = await Promise.all([
        import("./editor.ts"),
        ask("ruleSchema", {}),
      ]);
      if (isGone || place.current === null) return;
      editor.current = openEditor(place.current, { text, schema, onChange: setWritten });
    };
    void notify(open());
    return () => {
      isGone = true;
      editor.current?.close();
    };
  }, []);
  return { place, editor, written };
}

interface CheckedText {
  readonly file: string;
  readonly text: string;
  readonly mayTry: boolean;
  readonly editor: { readonly current: Editor | undefined };
}

/** Returns the problems of the text, and marks them in the editor. Checks the text once its author pauses. */
function useProblems({ file, text, mayTry, editor }: CheckedText): readonly Problem[] {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  useEffect(() => {
    if (!mayTry) return undefined;
    let isOver = false;
    const check = async (): Promise<void> => {
      const foundProblems = await notify(ask("checkEdit", { file, text }));
      // if the text has changed since, a later check reports its problems
      if (foundProblems === undefined || isOver) return;
      setProblems(foundProblems);
      editor.current?.mark(foundProblems);
    };
    const timer = setTimeout(() => void check(), CHECK_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return problems;
}
