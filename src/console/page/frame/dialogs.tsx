import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { QuestionAnswers } from "../../operations/operations.ts";
import { ask } from "../asking/api.ts";
import { useAsked } from "../asking/use-asked.ts";
import { isComposing } from "../parts/form.tsx";
import { go } from "../routing/route.ts";
import { hasSingleKeys, openDialog, SHORTCUTS, useSingleKeys } from "./keys.ts";

/** Dialog above the page: the search, or the list of keyboard shortcuts. */
export function Dialogs() {
  if (openDialog.value === "search") return <Search />;
  return openDialog.value === "shortcuts" ? <Shortcuts /> : null;
}

function close(): void {
  openDialog.value = undefined;
}

/** Modal dialog: the browser keeps the focus inside, closes it on Escape, and then restores the focus. */
function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="over"
      aria-label={title}
      onClose={close}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div class="card">{children}</div>
    </dialog>
  );
}

function Shortcuts() {
  return (
    <Dialog title="Keyboard shortcuts">
      <h2>Keyboard shortcuts</h2>
      <dl class="facts">
        {SHORTCUTS.map(([keys, what]) => (
          <>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <label>
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={({ currentTarget }) => useSingleKeys(currentTarget.checked)}
        />{" "}
        ? and g are shortcuts. Clear this if you use speech input.
      </label>
      <button type="button" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}

function Search() {
  const [text, setText] = useState("");
  const [chosen, choose] = useState(0);
  const answer = useAsked(
    async (signal) => ({ text, found: await ask("find", { text }, signal) }),
    [text],
  );
  const isFound = answer.value?.text === text;
  const places = (isFound ? answer.value?.found : undefined) ?? [];
  /** Whether Enter was pressed before the results arrived: the first result is then opened on arrival. */
  const isAwaited = useRef(false);
  const at = Math.min(chosen, places.length - 1);
  useEffect(() => {
    document.querySelector("#found [aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const follow = (to: string | undefined): void => {
    isAwaited.current = !isFound;
    if (to === undefined) return;
    close();
    go(to);
  };
  useEffect(() => {
    if (isFound && isAwaited.current) follow(places[0]?.to);
  }, [isFound]);
  return (
    <Dialog title="Search">
      <input
        role="combobox"
        aria-label="Search the console"
        aria-expanded={places.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={places.length > 0 ? `found-${at}` : undefined}
        autoComplete="off"
        placeholder="A page, rule, @person, number or words of a trace"
        value={text}
        maxLength={200}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          choose(0);
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined) choose((at + step + places.length) % places.length);
          else if (event.key === "Enter") follow(places[at]?.to);
          else return;
          event.preventDefault();
        }}
      />
      <FoundList places={places} at={at} follow={follow} />
      <p class="soft" role="status">
        {answer.error?.message ??
          (answer.isLoading || places.length > 0
            ? "↑ ↓ choose, Enter goes there"
            : "Nothing contains these words.")}
      </p>
    </Dialog>
  );
}

interface FoundListProps {
  readonly places: QuestionAnswers["find"];
  /** Index of the selected search result. */
  readonly at: number;
  readonly follow: (to: string) => void;
}

function FoundList({ places, at, follow }: FoundListProps) {
  return (
    <ul id="found" role="listbox" aria-label="Found">
      {places.map(({ kind, title, to }, index) => (
        <li
          key={`${kind} ${title}`}
          id={`found-${index}`}
          role="option"
          aria-selected={index === at}
          onClick={() => follow(to)}
        >
          <span class="soft">{kind}</span> {title}
        </li>
      ))}
    </ul>
  );
}
