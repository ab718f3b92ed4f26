import { useRef, useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { SandboxActivity } from "../../../../sandbox/control/objects.ts";
import type { SuggestedWord } from "../../../operations/suggested-words.ts";
import { ask, sandbox } from "../../asking/api.ts";
import { told } from "../../parts/toasts.tsx";
import { setQuery } from "../../routing/route.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { actFor, DEEDS, type Deed } from "./deeds.ts";
import { PostLength } from "./post-length.tsx";
import type { CastMember } from "./thread.ts";

interface ComposerProps {
  readonly people: readonly CastMember[];
  readonly as: CastMember;
  readonly bot: { readonly id: string; readonly username: string };
  /** A post of the bot that the next thing is about. */
  readonly target: SandboxActivity | undefined;
  readonly lastMessage: SandboxActivity | undefined;
  /** The latest of who speaks. */
  readonly lastPost: SandboxActivity | undefined;
  readonly speakAs: (username: string) => void;
  readonly clearTarget: () => void;
  readonly hasRules: boolean;
}

/** Has a person say or do something: Enter sends, the arrow up brings back what was said last. */
export function Composer(props: ComposerProps) {
  const { people, as, bot, target, lastMessage, lastPost, speakAs, clearTarget, hasRules } = props;
  const [chosen, setDeed] = useState<Deed["name"]>("dm");
  const [text, setText] = useState("");
  const said = useRef<string[]>([]);
  const back = useRef(0);
  const suggested = useAsked(
    (signal) => (hasRules ? ask("suggestedWords", {}, signal) : Promise.resolve([])),
    [hasRules],
  );
  const deed = DEEDS.find(({ name }) => name === chosen) ?? DEEDS[0];
  const send = async (kind: Deed["name"], words: string): Promise<void> => {
    const act = actFor(kind, { text: words, bot, target, lastMessage, lastPost });
    if (act === undefined) return;
    const made = await told(sandbox.post<{ id: string }>(`/users/${as.id}/act`, act));
    if (made === undefined) return;
    if (words !== "") said.current.push(words);
    back.current = 0;
    setText("");
    clearTarget();
    setQuery("event", undefined);
  };
  const published = actFor(deed.name, { text: text.trim(), bot, target, lastMessage, lastPost });
  const recall = (step: number): void => {
    const at = Math.min(Math.max(back.current + step, 0), said.current.length);
    back.current = at;
    setText(at === 0 ? "" : (said.current.at(-at) ?? ""));
  };
  return (
    <Form
      class="chat-composer card"
      label="Say something"
      onSubmit={() => void send(deed.name, text.trim())}
    >
      <div class="row">
        <label>
          Speak as{" "}
          <select
            value={as.username}
            onChange={({ currentTarget }) => speakAs(currentTarget.value)}
          >
            {people.map(({ id, username }) => (
              <option key={id} value={username}>
                @{username}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="hidden-text">What to do</span>
          <select
            value={deed.name}
            onChange={({ currentTarget }) =>
              setDeed(DEEDS.find(({ name }) => name === currentTarget.value)?.name ?? "dm")
            }
          >
            {DEEDS.map(({ name, label }) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
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
            rows={1}
            value={text}
            disabled={!deed.hasText}
            placeholder={deed.hasText ? `Say something as @${as.username}` : deed.label}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
                event.preventDefault();
                if (text.trim() !== "") void send(deed.name, text.trim());
              } else if (event.key === "ArrowUp" && (text === "" || back.current > 0)) {
                event.preventDefault();
                recall(1);
              } else if (event.key === "ArrowDown" && back.current > 0) {
                event.preventDefault();
                recall(-1);
              }
            }}
          />
        </label>
        {published.type === "post" && <PostLength text={published.text} id="chat-length" />}
        <button type="submit" class="go">
          {deed.hasText ? "Send" : "Do it"}
        </button>
      </div>
      {(suggested.value ?? []).length > 0 && (
        <div class="row" role="group" aria-label="Suggestions">
          {suggested.value?.map((one) => (
            <button
              key={`${one.rule} ${one.text}`}
              type="button"
              title={`For the rule ${one.rule}`}
              onClick={() => void send(one.kind === "post" ? "mention" : one.kind, one.text)}
            >
              {labelOf(one)}
            </button>
          ))}
        </div>
      )}
    </Form>
  );
}

function labelOf({ kind, text }: SuggestedWord): string {
  if (kind === "follow") return "Follow the bot";
  return kind === "post" ? `Mention: ${text}` : text;
}
