import { CardTable } from "../../parts/card-table.tsx";
import type { PortalSubscriptions } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { Gauge } from "./gauge.tsx";
import { type AppPartProps, concernsPortal } from "./portal-parts.ts";

/** Lists the accounts whose activity is sent to the app's webhooks. */
export function Subscriptions({ app, mayChange }: AppPartProps) {
  const answer = useSandbox<PortalSubscriptions>(
    `/apps/${app.app_id}/subscriptions`,
    concernsPortal,
  );
  const remove = async (webhook: string, user: string, name: string): Promise<void> => {
    const path = `/webhooks/${webhook}/subscriptions/${user}`;
    await notify(sandbox.delete(path), () => `Events of @${name} no longer arrive.`);
    answer.again();
  };
  return (
    <Shown answer={answer}>
      {({ plan, used, limit, subscriptions }) => (
        <>
          <Gauge
            label={`Subscriptions of the ${plan} plan`}
            used={used}
            limit={limit}
            after="of all apps of the project"
          />
          {subscriptions.length === 0 ? (
            <Empty>Nobody is subscribed. A bot subscribes its accounts when it starts.</Empty>
          ) : (
            <CardTable
              label="Subscriptions"
              columns={["Who", "Webhook", "Since", ["Change", "hidden"]]}
            >
              {subscriptions.map(({ webhook_id, user_id, username, created_at }) => (
                <tr key={`${webhook_id} ${user_id}`}>
                  <td>@{username}</td>
                  <td class="mono">{webhook_id}</td>
                  <td class="nowrap">
                    <Time at={created_at} withDate />
                  </td>
                  <td>
                    <button
                      type="button"
                      class="danger"
                      disabled={!mayChange}
                      aria-label={`Remove the subscription of @${username}`}
                      onClick={() => void remove(webhook_id, user_id, username)}
                    >
                      Remove
                    </button>
                  </td>
                </tr>
              ))}
            </CardTable>
          )}
        </>
      )}
    </Shown>
  );
}
