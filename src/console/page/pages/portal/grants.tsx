import type { PortalGrant } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { LEVEL_WORDS } from "./portal-parts.ts";

interface GrantsProps {
  readonly appId: string;
  readonly all: readonly PortalGrant[];
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Lists the access tokens that people granted to an app, including tokens that are no longer valid. */
export function Grants({ appId, all, mayChange, onChanged }: GrantsProps) {
  const revoke = async ({ user_id, username }: PortalGrant): Promise<void> => {
    const path = `/users/${user_id}/apps/${appId}`;
    await notify(sandbox.delete(path), () => `@${username} has revoked the authorization.`);
    onChanged();
  };
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Tokens of people">
      <table>
        <thead>
          <tr>
            <th>Who</th>
            <th>Token</th>
            <th>May</th>
            <th>State</th>
            <th>
              <span class="hidden-text">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((grant) => (
            <tr key={`${grant.user_id} ${grant.hint}`}>
              <td class="nowrap">@{grant.username}</td>
              <td class="nowrap">
                {grant.kind === "oauth1" ? "OAuth 1.0a" : "OAuth 2.0"}{" "}
                <span class="mono">… {grant.hint}</span>
              </td>
              <td class="portal-may">
                {grant.permission_level === undefined
                  ? grant.scopes?.join(" ")
                  : LEVEL_WORDS[grant.permission_level]}
              </td>
              <td>
                {grant.works ? (
                  <Chip tone="good">works</Chip>
                ) : (
                  <Chip tone="bad">
                    {grant.kind === "oauth1" ? "must log in again" : "has expired"}
                  </Chip>
                )}
              </td>
              <td>
                <button
                  type="button"
                  class="danger"
                  disabled={!mayChange}
                  aria-label={`Revoke the authorization of @${grant.username}`}
                  onClick={() => void revoke(grant)}
                >
                  Revoke
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
