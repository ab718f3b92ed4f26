import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { ACCESS_LEVELS, type AccessLevel } from "../../../../protocol/access.ts";
import type { App, AppCredentials } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import type { PageProps } from "../../page-props.ts";
import { Chip } from "../../parts/chip.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { LEVEL_WORDS } from "./portal-parts.ts";
import { ShownOnce } from "./shown-once.tsx";

/** Lists all apps, with a form that creates one. */
export function Apps({ session, mayChange }: PageProps & { readonly mayChange: boolean }) {
  const apps = useSandbox<{ apps: readonly App[] }>("/apps", (batch) =>
    batch.sandbox.some(({ type }) => type === "world"),
  );
  const own = session.sandbox?.appId;
  return (
    <main id="main" tabIndex={-1}>
      <h1>Portal</h1>
      <Shown answer={apps}>
        {({ apps: all }) =>
          all.length === 0 ? (
            <Empty>There is no app yet. Create one below.</Empty>
          ) : (
            <ul class="portal-apps">
              {all.map((app) => (
                <li key={app.app_id} class="card">
                  <h2>
                    <a href={`/portal/apps/${app.app_id}`}>{app.name}</a>
                  </h2>
                  <div class="row">
                    {app.app_id === own && <Chip tone="info">the bot's app</Chip>}
                    {app.suspended ? (
                      <Chip tone="bad">suspended</Chip>
                    ) : (
                      <Chip tone="good">active</Chip>
                    )}
                    <span>{LEVEL_WORDS[app.permission_level]}</span>
                    <span class="soft mono">{app.app_id}</span>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      <MakeApp mayChange={mayChange} onMade={apps.again} />
    </main>
  );
}

function MakeApp({ mayChange, onMade }: { mayChange: boolean; onMade: () => void }) {
  const [name, setName] = useState("");
  const [level, setLevel] = useState<AccessLevel>("read-write-directmessages");
  const [credentials, setCredentials] = useState<AppCredentials>();
  const make = async (): Promise<void> => {
    const spec = { name, permission_level: level };
    const done = await notify(sandbox.post<AppCredentials>("/apps", spec));
    if (done === undefined) return;
    setCredentials(done);
    setName("");
    onMade();
  };
  return (
    <section>
      <h2>Create an app</h2>
      <Form class="row" onSubmit={() => void make()}>
        <label>
          Name{" "}
          <input
            required
            value={name}
            maxLength={100}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <Choice
          label="Permission"
          value={level}
          options={ACCESS_LEVELS.map((one) => [one, LEVEL_WORDS[one]] as const)}
          onChange={setLevel}
        />
        <button type="submit" class="go" disabled={!mayChange}>
          Create
        </button>
      </Form>
      {credentials !== undefined && <ShownOnce secrets={{ ...credentials }} />}
    </section>
  );
}
