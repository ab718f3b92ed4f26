import { useRef, useState } from "preact/hooks";
import { Form, isComposing } from "../../parts/form.tsx";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import type { SuggestedWord } from "../../../operations/suggested-words.ts";
import { sandbox } from "../../asking/api.ts";
import { Choice } from "../../parts/choice.tsx";
import { notify } from "../../parts/toasts.tsx";
import { setQuery } from "../../routing/route.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { actFor, DEEDS, type Deed } from "./deeds.ts";
import { PostLength } from "./post-length.tsx";
import type { CastMember } from "./thread.ts";

interface ComposerProps {
  readonly people: readonly CastMember[];
  readonly as: CastMember;
  readonly bot: { readonly id: string; readonly username: string };
  /** The bot's post that the next action replies to, likes or reposts. */
  readonly target: SandboxActivity | undefined;
  readonly lastMessage: SandboxActivity | undefined;
  /** Latest post of the person `as`. */
  readonly lastPost: SandboxActivity | undefined;
  readonly speakAs: (username: string) => void;
  readonly clearTarget: () => void;
  readonly hasRules: boolean;
}

/** Form for a person's messages and other actions. Enter sends; the arrow up recalls earlier texts. */
export function Composer(props: ComposerProps) {
  const { people, as, bot, target, lastMessage, lastPost, speakAs, clearTarget, hasRules } = props;
  const [chosen, setDeed] = useState<Deed["name"]>("dm");
  const [text, setText] = useState("");
  const said = useSaid(setText);
  const deed = DEEDS.find(({ name }) => name === chosen) ?? DEEDS[0];
  const send = async (kind: Deed["name"], words: string): Promise<void> => {
    const act = actFor(kind, { text: words, bot, target, lastMessage, lastPost });
    if (act === undefined) return;
    const actResult = await notify(sandbox.post<{ id: string }>(`/users/${as.id}/act`, act));
    if (actResult === undefined) return;
    said.add(words);
    setText("");
    clearTarget();
    setQuery("event", undefined);
  };
  const published = actFor(deed.name, { text: text.trim(), bot, target, lastMessage, lastPost });
  return (
    <Form
      class="chat-composer card"
      label="Say something"
      onSubmit={() => void send(deed.name, text.trim())}
    >
      <div class="row">
        <Choice
          label="Speak as"
          value={as.username}
          options={people.map(({ username }) => [username, `@${username}`] as const)}
          onChange={speakAs}
        />
        <Choice
          label="What to do"
          isLabelHidden
          value={deed.name}
          options={DEEDS.map(({ name, label }) => [name, label] as const)}
          onChange={setDeed}
        />
        {target !== undefined && (
          <span class="soft">
            about “{(target.text ?? "").slice(0, 40)}”{" "}
            <button type="button" class="quiet" onClick={clearTarget}>
              not this post
            </button>
          </span>
        )}
      </div>
      <div class="row chat-line">
        <label class="grow">
          <span class="hidden-text">Message</span>
          <textarea
            aria-label="Message"
            aria-describedby={published.type === "post" ? "chat-length" : undefined}
            dir="auto"
            rows={1}
            value={text}
            disabled={!deed.hasText}
            placeholder={deed.hasText ? `Say something as @${as.username}` : deed.label}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (isComposing(event)) return;
              if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                if (text.trim() !== "") void send(deed.name, text.trim());
              } else if (said.recall(event.key, text)) {
                event.preventDefault();
              }
            }}
          />
        </label>
        {published.type === "post" && <PostLength text={published.text} id="chat-length" />}
        <button type="submit" class="go">
          {deed.hasText ? "Send" : "Do it"}
        </button>
      </div>
      {hasRules && <Suggestions onChosen={(kind, words) => void send(kind, words)} />}
    </Form>
  );
}

/** Stores the sent texts, newest last. The arrow up recalls earlier texts, the arrow down later ones. */
function useSaid(show: (text: string) => void) {
  const said = useRef<string[]>([]);
  const back = useRef(0);
  return {
    add(text: string): void {
      if (text !== "") said.current.push(text);
      back.current = 0;
    },
    /** @returns Whether the key has recalled a text. */
    recall(key: string, text: string): boolean {
      const isBack = back.current > 0;
      const step = { ArrowUp: text === "" || isBack ? 1 : 0, ArrowDown: isBack ? -1 : 0 }[key] ?? 0;
      if (step === 0) return false;
      back.current = Math.min(back.current + step, said.current.length);
      show(back.current === 0 ? "" : (said.current.at(-back.current) ?? ""));
      return true;
    },
  };
}

interface SuggestionsProps {
  readonly onChosen: (kind: Deed["name"], text: string) => void;
}

/** Lists texts to try: each one triggers a rule of the bot. A click sends the text as the chosen person. */
function Suggestions({ onChosen }: SuggestionsProps) {
  const suggested = useQuestion("suggestedWords", {});
  const words = suggested.value ?? [];
  if (words.length === 0) return null;
  return (
    <div class="row" role="group" aria-label="Suggestions">
      {words.map((one) => (
        <button
          key={`${one.rule} ${one.text}`}
          type="button"
          title={`For the rule ${one.rule}`}
          onClick={() => onChosen(one.kind === "post" ? "mention" : one.kind, one.text)}
        >
          {labelOf(one)}
        </button>
      ))}
    </div>
  );
}

function labelOf({ kind, text }: SuggestedWord): string {
  if (kind === "follow") return "Follow the bot";
  return kind === "post" ? `Mention: ${text}` : text;
}
