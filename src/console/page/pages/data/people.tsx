import { useState } from "preact/hooks";
import type { SandboxUser } from "../../../../sandbox/control/objects.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { sandbox } from "../../asking/api.ts";
import { told } from "../../frame/toasts.tsx";

interface PeopleProps {
  readonly people: readonly SandboxUser[];
  readonly session: SessionAnswer;
  readonly onAdded: () => void;
}

/** Everybody in the sandbox. */
export function People({ people, session, onAdded }: PeopleProps) {
  const [username, setUsername] = useState("");
  const [name, setName] = useState("");
  const add = async (): Promise<void> => {
    const made = await told(
      sandbox.post("/users", { username, name: name === "" ? username : name }),
      () => `@${username} is there.`,
    );
    if (made === undefined) return;
    setUsername("");
    setName("");
    onAdded();
  };
  return (
    <>
      <form
        class="row"
        aria-label="Add a person"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Handle{" "}
          <input
            value={username}
            required
            maxLength={15}
            onInput={({ currentTarget }) => setUsername(currentTarget.value)}
          />
        </label>
        <label>
          Name <input value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
        <button type="submit" disabled={session.role !== "operator"}>
          Add
        </button>
      </form>
      <div class="scrolls" tabIndex={0} role="region" aria-label="People">
        <table>
          <thead>
            <tr>
              <th>Handle</th>
              <th>Name</th>
              <th>Id</th>
              <th>Talk</th>
            </tr>
          </thead>
          <tbody>
            {people.map((one) => (
              <tr key={one.id}>
                <td>
                  <a href={`/data/users/${one.id}`}>@{one.username}</a>
                  {one.id === session.sandbox?.bot?.id && <span class="soft"> the bot</span>}
                </td>
                <td>{one.name}</td>
                <td class="mono">{one.id}</td>
                <td>
                  {one.id !== session.sandbox?.bot?.id && (
                    <a href={`/chat?as=${one.username}`}>speak as @{one.username}</a>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
