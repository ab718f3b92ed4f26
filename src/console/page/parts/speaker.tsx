import { useSandbox } from "../asking/use-asked.ts";

/** A person in the sandbox. */
export interface KnownPerson {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

interface SpeakerProps {
  readonly value: string;
  readonly onChange: (as: string) => void;
}

/**
 * Select list for the caller of a request: the app, a person, or no credentials. Also defines the `datalist` named
 * `people`, which text fields on the page use to suggest people's ids.
 */
export function Credential({ value, onChange }: SpeakerProps) {
  const people = useSandbox<{ users: readonly KnownPerson[] }>("/users");
  const all = people.value?.users ?? [];
  // A select list shows nothing for a value without an option, so a person who is not loaded yet gets an option too.
  const isUnread = ![...all.map(({ id }) => id), "app", "nobody"].includes(value);
  return (
    <>
      <label>
        As{" "}
        <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="app">the app, by its bearer token</option>
          {isUnread && <option value={value}>{value}</option>}
          {all.map(({ id, username }) => (
            <option key={id} value={id}>
              @{username}, by OAuth 1.0a
            </option>
          ))}
          <option value="nobody">nobody, without credentials</option>
        </select>
      </label>
      <datalist id="people">
        {all.map(({ id, username }) => (
          <option key={id} value={id}>
            @{username}
          </option>
        ))}
      </datalist>
    </>
  );
}
