import { useState } from "preact/hooks";
import { Form } from "../parts/form.tsx";
import { command } from "../asking/api.ts";
import { useQuestion, useSandbox } from "../asking/use-asked.ts";
import { Time } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";

/** Lists the snapshots of the sandbox's data, with buttons to save and restore one. */
export function Snapshots({ mayChange }: { mayChange: boolean }) {
  const [isOpen, open] = useState(false);
  if (!mayChange) return null;
  return (
    <details class="menu" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>Snapshots</summary>
      {isOpen && <Saved />}
    </details>
  );
}

function Saved() {
  const [name, setName] = useState("");
  const health = useSandbox<{ seed: string }>("/health");
  const saved = useQuestion("snapshots", {});
  const keep = async (): Promise<void> => {
    const done = command("keepSnapshot", { name });
    if ((await notify(done, () => `The world is saved as ${name}.`)) === undefined) return;
    setName("");
    saved.again();
  };
  if (saved.value === null) {
    return (
      <div>
        <p>Snapshots need a file: start the sandbox with --state FILE.</p>
      </div>
    );
  }
  return (
    <div>
      <Form class="row" onSubmit={() => void keep()}>
        <label>
          <span class="hidden-text">Name of the snapshot</span>
          <input
            value={name}
            required
            pattern={String.raw`\w[\w.\-]*`}
            title="Letters, digits, dots, dashes and underscores"
            placeholder="before-outage"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Save</button>
      </Form>
      {(saved.value ?? []).map(({ name: one, saved_at: at }) => (
        <button
          key={one}
          type="button"
          onClick={() =>
            void notify(
              command("restoreSnapshot", { name: one }),
              () => `The world is restored from ${one}. The bot keeps its own data.`,
            )
          }
        >
          Restore {one}, <Time at={at} withDate clock="machine" />
        </button>
      ))}
      <p class="soft">Also: answerback snapshot list</p>
      <p>
        Seed {health.value?.seed}
        <br />
        <span class="soft">makes ids and random draws repeatable</span>
      </p>
    </div>
  );
}
