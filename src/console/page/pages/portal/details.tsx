import { Form } from "../../parts/form.tsx";
import type { App } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import type { AppPartProps } from "./portal-parts.ts";

const TEXTS = [
  ["name", "Name"],
  ["description", "Description"],
  ["website_url", "Web page"],
  ["terms_url", "Terms of service"],
  ["privacy_url", "Privacy policy"],
  ["organization_name", "Organization"],
  ["organization_url", "Organization's web page"],
] as const satisfies readonly (readonly [keyof App, string])[];

const SWITCHES = [
  ["oauth1", "OAuth 1.0a"],
  ["oauth2", "OAuth 2.0"],
  ["sign_in", "Log-in skips the consent page for people who have approved before"],
  ["email", "May request email addresses (needs terms and privacy policy)"],
] as const satisfies readonly (readonly [keyof App, string])[];

/** Shows the public details of the app, and whether the platform has suspended it. */
export function Details({ app, mayChange, onChanged }: AppPartProps) {
  const change = async (patch: object, done: string): Promise<void> => {
    await notify(sandbox.patch<App>(`/apps/${app.app_id}`, patch), () => done);
    onChanged();
  };
  const save = (form: HTMLFormElement): void => {
    const formData = new FormData(form);
    const texts = TEXTS.map(([key]) => [key, textIn(formData, key)]);
    const switches = SWITCHES.map(([key]) => [key, formData.has(key)]);
    void change(Object.fromEntries([...texts, ...switches]), "Saved.");
  };
  return (
    <>
      <Form class="portal-form" onSubmit={(form) => save(form)}>
        {TEXTS.map(([key, label]) => (
          <label key={key}>
            {label}
            <input name={key} defaultValue={app[key]} disabled={!mayChange} />
          </label>
        ))}
        <fieldset>
          <legend>Authentication</legend>
          {SWITCHES.map(([key, label]) => (
            <label key={key} class="portal-check">
              <input type="checkbox" name={key} defaultChecked={app[key]} disabled={!mayChange} />{" "}
              {label}
            </label>
          ))}
        </fieldset>
        <div class="row">
          <button type="submit" class="go" disabled={!mayChange}>
            Save
          </button>
          <button
            type="button"
            class={app.suspended ? "" : "danger"}
            disabled={!mayChange}
            onClick={() =>
              void change(
                { suspended: !app.suspended },
                app.suspended ? "The app works again." : "The app is suspended.",
              )
            }
          >
            {app.suspended ? "End the suspension" : "Suspend the app"}
          </button>
        </div>
      </Form>
      <dl class="facts">
        <dt>App</dt>
        <dd class="mono">{app.app_id}</dd>
        <dt>Project</dt>
        <dd class="mono">{app.project_id ?? "none: it can't use version 2 of the interface"}</dd>
      </dl>
    </>
  );
}

function textIn(form: FormData, key: string): string {
  const entryValue = form.get(key);
  return typeof entryValue === "string" ? entryValue : "";
}
