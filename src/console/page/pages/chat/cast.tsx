import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import type { CastMember } from "./thread.ts";
import { handleOf } from "../../../../text/handle.ts";

interface CastProps {
  readonly people: readonly CastMember[];
  readonly columns: readonly CastMember[];
  /** The person who writes the next message. */
  readonly as: CastMember | undefined;
  readonly speakAs: (username: string) => void;
  readonly leave: (username: string) => void;
  readonly onAdded: () => void;
}

/** Returns a stable colour for a person, dark enough for white letters. */
function colourOf(id: string): string {
  return `hsl(${Number(id.slice(-6)) % 360} 60% 35%)`;
}

/** Lists the people of the sandbox. People whose conversations are shown are marked. */
export function Cast({ people, columns, as, speakAs, leave, onAdded }: CastProps) {
  const [name, setName] = useState("");
  const add = async (): Promise<void> => {
    const username = handleOf(name.trim());
    if (username === "") return;
    const createdUser = await notify(sandbox.post("/users", { username, name: username }));
    if (createdUser === undefined) return;
    setName("");
    onAdded();
    speakAs(username);
  };
  return (
    <section class="chat-cast" aria-label="People">
      <ul>
        {people.map(({ id, username }) => {
          const isShown = columns.some((one) => one.id === id);
          return (
            <li key={id}>
              <button type="button" aria-pressed={isShown} onClick={() => speakAs(username)}>
                <span class="chat-face" style={{ background: colourOf(id) }} aria-hidden="true">
                  {username.slice(0, 1).toUpperCase()}
                </span>
                @{username}
              </button>
              {isShown && columns.length > 1 && as?.id !== id && (
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Hide @${username}`}
                  onClick={() => leave(username)}
                >
                  hide
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <Form onSubmit={() => void add()}>
        <label>
          <span class="hidden-text">Handle of a new person</span>
          <input
            value={name}
            placeholder="handle"
            maxLength={15}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Add</button>
      </Form>
    </section>
  );
}
