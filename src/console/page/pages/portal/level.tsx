import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { ACCESS_LEVELS } from "../../../../protocol/access.ts";
import type { App, PortalGrant } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import { type AppPartProps, concernsPortal, LEVEL_WORDS } from "./portal-parts.ts";

/** Shows the app's permission level. A change revokes the access tokens that people granted to the app. */
export function Level({ app, mayChange, onChanged }: AppPartProps) {
  const [level, setLevel] = useState(app.permission_level);
  const grants = useSandbox<{ grants: readonly PortalGrant[] }>(
    `/apps/${app.app_id}/grants`,
    concernsPortal,
  );
  const signed = (grants.value?.grants ?? []).filter(({ kind }) => kind === "oauth1");
  const namesOf = (works: boolean): string =>
    [...new Set(signed.filter((one) => one.works === works).map((one) => `@${one.username}`))].join(
      ", ",
    );
  const [affected, voided] = [namesOf(true), namesOf(false)];
  const save = async (): Promise<void> => {
    const patch = { permission_level: level };
    await notify(sandbox.patch<App>(`/apps/${app.app_id}`, patch), () => "The level has changed.");
    onChanged();
    grants.again();
  };
  return (
    <Form onSubmit={() => void save()}>
      <fieldset>
        <legend>For people who log in, the app may</legend>
        {ACCESS_LEVELS.map((one) => (
          <label key={one} class="portal-check">
            <input
              type="radio"
              name="level"
              checked={level === one}
              disabled={!mayChange}
              onChange={() => setLevel(one)}
            />{" "}
            {LEVEL_WORDS[one]}
          </label>
        ))}
      </fieldset>
      {level !== app.permission_level && (
        <p class="notice warn" role="status">
          <strong>All OAuth 1.0a tokens end.</strong>{" "}
          {affected === ""
            ? "Nobody has one."
            : `They must log in again: ${affected}. A bot that runs with these tokens is refused until it has new ones.`}
        </p>
      )}
      {voided !== "" && (
        <p class="notice bad">Since the last change these must log in again: {voided}.</p>
      )}
      <button type="submit" class="go" disabled={!mayChange || level === app.permission_level}>
        Change the level
      </button>
    </Form>
  );
}
