import { useState } from "preact/hooks";
import type { SandboxUser } from "../../../../sandbox/control/objects.ts";
import type { SessionAnswer } from "../../../operations/session.ts";
import { sandbox } from "../../asking/api.ts";
import { told } from "../../frame/toasts.tsx";

interface PersonProps {
  readonly person: SandboxUser;
  readonly session: SessionAnswer;
  readonly onChanged: () => void;
}

const FIELDS = ["name", "description", "location", "url"] as const;

/** What is said of a person, to be changed. */
export function Person({ person, session, onChanged }: PersonProps) {
  const before = (field: string): string => {
    const value = person[field];
    return typeof value === "string" ? value : "";
  };
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const save = async (): Promise<void> => {
    const done = await told(
      sandbox.patch(`/users/${person.id}`, values),
      () => `@${person.username} is changed.`,
    );
    if (done === undefined) return;
    setValues({});
    onChanged();
  };
  return (
    <form
      class="card stack"
      aria-label={`@${person.username}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>@{person.username}</h2>
      <div class="sides">
        {FIELDS.map((field) => (
          <label key={field}>
            {field}{" "}
            <input
              value={values[field] ?? before(field)}
              onInput={({ currentTarget }) =>
                setValues({ ...values, [field]: currentTarget.value })
              }
            />
          </label>
        ))}
      </div>
      <div class="row">
        <button
          type="submit"
          disabled={session.role !== "operator" || Object.keys(values).length === 0}
        >
          Save
        </button>
        <a href={`/chat?as=${person.username}`}>Speak as @{person.username}</a>
      </div>
    </form>
  );
}
