import { useState } from "preact/hooks";
import type { CredentialChange, PortalGrant } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import { Empty, Shown } from "../../parts/states.tsx";
import { Grants } from "./grants.tsx";
import { type AppPartProps, concernsPortal } from "./portal-parts.ts";
import { ShownOnce } from "./shown-once.tsx";

const KINDS = [
  { kind: "api_key", hint: "consumer_key", title: "API key and secret" },
  { kind: "bearer", hint: "bearer_token", title: "Bearer token" },
  { kind: "access_token", hint: "access_token", title: "Access token of the app's owner" },
  { kind: "client_secret", hint: "client_secret", title: "Client secret (OAuth 2.0)" },
] as const satisfies readonly {
  kind: CredentialChange["kind"];
  hint: string;
  title: string;
}[];

/** Shows the app's credentials, and the access tokens that people granted to it. */
export function Keys({ app, mayChange, onChanged }: AppPartProps) {
  const [fresh, setFresh] = useState<Readonly<Record<string, string>>>();
  const grants = useSandbox<{ grants: readonly PortalGrant[] }>(
    `/apps/${app.app_id}/grants`,
    concernsPortal,
  );
  const change = async (request: CredentialChange): Promise<void> => {
    const path = `/apps/${app.app_id}/credentials`;
    const changedCredentials = await notify(
      sandbox.post<Record<string, string | boolean>>(path, request),
    );
    if (changedCredentials === undefined) return;
    const secrets = Object.entries(changedCredentials).filter(
      (one): one is [string, string] => typeof one[1] === "string",
    );
    setFresh(secrets.length === 0 ? undefined : Object.fromEntries(secrets));
    onChanged();
    grants.again();
  };
  return (
    <>
      {fresh !== undefined && <ShownOnce secrets={fresh} />}
      <ul class="portal-keys">
        {KINDS.map(({ kind, hint, title }) => (
          <Key
            key={kind}
            title={title}
            end={app.key_hints[hint]}
            mayChange={mayChange}
            change={(what) => void change({ kind, do: what })}
          />
        ))}
      </ul>
      <p class="soft">
        The old one stops working at once. Give the new one to each bot that uses it.
      </p>
      <h2>Tokens that people gave the app</h2>
      <Shown answer={grants}>
        {({ grants: all }) =>
          all.length === 0 ? (
            <Empty>Nobody has logged in with this app. Try it in the log-in tester.</Empty>
          ) : (
            <Grants appId={app.app_id} all={all} mayChange={mayChange} onChanged={grants.again} />
          )
        }
      </Shown>
    </>
  );
}

interface KeyProps {
  readonly title: string;
  /** Last characters of the key; undefined if there is no key. */
  readonly end: string | undefined;
  readonly mayChange: boolean;
  readonly change: (what: "regenerate" | "revoke") => void;
}

function Key({ title, end, mayChange, change }: KeyProps) {
  const verb = end === undefined ? "Make" : "Regenerate";
  return (
    <li class="card row">
      <strong>{title}</strong>
      <span class="mono">{end === undefined ? "none" : `… ${end}`}</span>
      <button
        type="button"
        disabled={!mayChange}
        aria-label={`${verb}: ${title}`}
        onClick={() => change("regenerate")}
      >
        {verb}
      </button>
      {end !== undefined && (
        <button
          type="button"
          class="danger"
          disabled={!mayChange}
          aria-label={`Revoke: ${title}`}
          onClick={() => change("revoke")}
        >
          Revoke
        </button>
      )}
    </li>
  );
}
