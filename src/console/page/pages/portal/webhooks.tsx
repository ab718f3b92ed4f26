import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import type { ExchangeHead, PortalWebhook } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { ExchangeDetails } from "./exchange-details.tsx";
import { type AppPartProps, concernsPortal } from "./portal-parts.ts";

/** Lists the app's webhooks with their latest challenges. Webhooks can be registered, challenged and deleted. */
export function Webhooks({ app, mayChange }: AppPartProps) {
  const webhooks = useSandbox<{ webhooks: readonly PortalWebhook[] }>("/webhooks", concernsPortal);
  const exchanges = useSandbox<{ exchanges: readonly ExchangeHead[] }>(
    "/exchanges?about=crc_token&limit=1000",
    (batch) => batch.sandbox.some(({ type }) => type === "challenge"),
  );
  const ofApp = (webhooks.value?.webhooks ?? []).filter(({ app_id }) => app_id === app.app_id);
  const challenges = exchanges.value?.exchanges ?? [];
  const again = (): void => {
    webhooks.again();
    exchanges.again();
  };
  return (
    <>
      <Shown answer={webhooks}>
        {() =>
          ofApp.length === 0 && (
            <Empty>No webhook is registered. A bot registers its own when it starts.</Empty>
          )
        }
      </Shown>
      {ofApp.map((webhook) => (
        <Webhook
          key={webhook.id}
          webhook={webhook}
          challenge={challenges.findLast((one) => one.webhook_id === webhook.id)}
          mayChange={mayChange}
          onChanged={again}
        />
      ))}
      <RegisterWebhook appId={app.app_id} mayChange={mayChange} onDone={again} />
      <FailedChallenge challenges={challenges} registeredWebhooks={ofApp} appId={app.app_id} />
    </>
  );
}

interface RegisterWebhookProps {
  readonly appId: string;
  readonly mayChange: boolean;
  readonly onDone: () => void;
}

function RegisterWebhook({ appId, mayChange, onDone }: RegisterWebhookProps) {
  const [url, setUrl] = useState("");
  const register = async (): Promise<void> => {
    const path = `/apps/${appId}/webhooks`;
    const registeredWebhook = await notify(
      sandbox.post(path, { url }),
      () => "Registered: its challenge passed.",
    );
    if (registeredWebhook !== undefined) setUrl("");
    onDone();
  };
  return (
    <Form class="row" onSubmit={() => void register()}>
      <label>
        Register a URL{" "}
        <input
          required
          size={40}
          spellcheck={false}
          value={url}
          placeholder="https://bot.example/webhook"
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </label>
      <button type="submit" class="go" disabled={!mayChange}>
        Register
      </button>
    </Form>
  );
}

interface WebhookProps {
  readonly webhook: PortalWebhook;
  readonly challenge: ExchangeHead | undefined;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

function Webhook({ webhook, challenge, mayChange, onChanged }: WebhookProps) {
  const { id, url, valid, created_at, next_challenge_at } = webhook;
  const validate = (): void => {
    const asking = sandbox.post<{ reason?: string }>(`/webhooks/${id}/challenge`);
    void notify(asking, ({ reason }) => reason ?? "The challenge was answered correctly.").then(
      onChanged,
    );
  };
  return (
    <article class="card portal-webhook">
      <div class="row">
        <Chip tone={valid ? "good" : "bad"}>{valid ? "valid" : "not valid"}</Chip>
        <code>{url}</code>
        <span class="soft mono">{id}</span>
      </div>
      <p class="soft">
        Registered <Time at={created_at} withDate />, next challenge <Time at={next_challenge_at} />
      </p>
      <div class="row">
        <button type="button" disabled={!mayChange} onClick={validate}>
          Validate
        </button>
        <button
          type="button"
          class="danger"
          disabled={!mayChange}
          onClick={() =>
            void notify(
              sandbox.delete(`/webhooks/${id}`),
              () => "Deleted, with its subscriptions.",
            ).then(onChanged)
          }
        >
          Delete
        </button>
      </div>
      {challenge !== undefined && (
        <ExchangeDetails key={challenge.seq} seq={challenge.seq}>
          The latest challenge as it was sent: {challenge.outcome}
        </ExchangeDetails>
      )}
    </article>
  );
}

interface FailedProps {
  readonly challenges: readonly ExchangeHead[];
  readonly registeredWebhooks: readonly PortalWebhook[];
  readonly appId: string;
}

/** Shows the challenge because of which the registration of a URL has failed. */
function FailedChallenge({ challenges, registeredWebhooks, appId }: FailedProps) {
  const last = challenges.findLast(({ app_id }) => app_id === appId);
  if (last === undefined || last.outcome === "passed") return null;
  if (registeredWebhooks.some(({ id }) => id === last.webhook_id)) return null;
  return (
    <ExchangeDetails key={last.seq} seq={last.seq} startsOpen>
      The latest registration failed: {last.outcome}
    </ExchangeDetails>
  );
}
