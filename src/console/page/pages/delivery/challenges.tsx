import { counted } from "../../../../text/counted.ts";
import type { DeliveryRecord, PortalWebhook } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { useSandbox } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Time } from "../../parts/time.tsx";
import { shortTime } from "./stretch.ts";

const DAY_MS = 24 * 3_600_000;

/** Shows the sandbox's webhooks, each with a dot for every challenge of the last 24 hours. */
export function Challenges({ now, mayChange }: { now: number; mayChange: boolean }) {
  const concerns = (batch: { sandbox: readonly { type: string }[] }): boolean =>
    batch.sandbox.some(
      ({ type }) => type === "challenge" || type === "webhook" || type === "world",
    );
  const webhooks = useSandbox<{ webhooks: readonly PortalWebhook[] }>("/webhooks", concerns);
  const sent = useSandbox<{ deliveries: readonly DeliveryRecord[] }>(
    "/deliveries?event=crc",
    concerns,
  );
  return (
    <Shown answer={webhooks}>
      {({ webhooks: all }) =>
        all.length === 0 ? (
          <Empty>No webhook is registered. A bot registers its own when it starts.</Empty>
        ) : (
          all.map((webhook) => (
            <Webhook
              key={webhook.id}
              webhook={webhook}
              sent={(sent.value?.deliveries ?? []).filter((one) => one.webhook_id === webhook.id)}
              now={now}
              mayChange={mayChange}
            />
          ))
        )
      }
    </Shown>
  );
}

interface WebhookProps {
  readonly webhook: PortalWebhook;
  readonly sent: readonly DeliveryRecord[];
  readonly now: number;
  readonly mayChange: boolean;
}

function Webhook({
  webhook: { id, url, valid, next_challenge_at },
  sent,
  now,
  mayChange,
}: WebhookProps) {
  const askNow = (): void => {
    const asking = sandbox.post<{ valid: boolean; reason?: string }>(`/webhooks/${id}/challenge`);
    void notify(asking, ({ reason }) => reason ?? "The challenge was answered correctly.");
  };
  const xOf = (at: string): number => ((Date.parse(at) - now + DAY_MS) / DAY_MS) * 100;
  const recent = sent.filter(({ at }) => xOf(at) >= 0);
  const failed = recent.filter(({ outcome }) => outcome !== "passed").length;
  return (
    <div class="card delivery-webhook">
      <div class="row">
        <Chip tone={valid ? "good" : "bad"}>{valid ? "valid" : "not valid"}</Chip>
        <code>{url}</code>
        <span class="soft">next challenge at {shortTime(Date.parse(next_challenge_at))}</span>
        <button type="button" disabled={!mayChange} onClick={askNow}>
          Request a challenge now
        </button>
      </div>
      <svg
        class="delivery-dots"
        role="img"
        aria-label={`Challenges in 24 hours: ${recent.length - failed} answered, ${failed} failed`}
      >
        <line class="rail" y1="12" x2="100%" y2="12" />
        {recent.map(({ seq, at, outcome, ms }) => (
          <svg key={seq} x={`${xOf(at)}%`} y="12" overflow="visible">
            <title>{`${shortTime(Date.parse(at))}: ${outcome}, ${Math.round(ms)} ms`}</title>
            {outcome === "passed" ? (
              <circle r="6" class="good" />
            ) : (
              <path d="M-6-6L6 6M6-6L-6 6" class="bad" />
            )}
          </svg>
        ))}
      </svg>
      <details>
        <summary>{counted(sent.length, "challenge")}, the latest first</summary>
        <ol class="delivery-list">
          {sent
            .slice(-50)
            .toReversed()
            .map(({ seq, at, outcome, ms, status }) => (
              <li key={seq}>
                <Chip tone={outcome === "passed" ? "good" : "bad"}>
                  {outcome === "passed" ? "passed" : "failed"}
                </Chip>{" "}
                <Time at={at} withDate /> · {Math.round(ms)} ms · status {status}
                {outcome !== "passed" && ` · ${outcome}`}
              </li>
            ))}
        </ol>
      </details>
    </div>
  );
}
