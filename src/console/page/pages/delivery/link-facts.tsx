import type { QuestionAnswers } from "../../../operations/operations.ts";
import { Chip } from "../../parts/chip.tsx";
import { Time } from "../../parts/time.tsx";
import { counted } from "../../../../text/counted.ts";

/** Shows the current state of the connection between platform and webhook, as the runtime reports it. */
export function LinkFacts({ status }: { readonly status: QuestionAnswers["status"] }) {
  const { webhook, source, catchup } = status;
  return (
    <div class="delivery-facts card">
      <div class="row">
        {source === "polling" ? (
          <Chip tone="info">polls the platform</Chip>
        ) : (
          <Chip tone={webhook.valid ? "good" : "bad"}>
            {webhook.valid ? "webhook valid" : "webhook not valid"}
          </Chip>
        )}
        {catchup.gaps > 0 && <Chip tone="bad">{counted(catchup.gaps, "gap")} open</Chip>}
        {webhook.url !== "" && <code>{webhook.url}</code>}
      </div>
      {webhook.trouble !== undefined && <p class="notice warn">{webhook.trouble}</p>}
      <p class="soft">
        {counted(webhook.deliveries, "delivery", "deliveries")} stored and{" "}
        {counted(webhook.challenges, "challenge")} answered since the start
        {webhook.lastDeliveryAt !== undefined && (
          <>
            ; last delivery <Time at={webhook.lastDeliveryAt} />
          </>
        )}
        {webhook.lastChallengeAt !== undefined && (
          <>
            ; last challenge <Time at={webhook.lastChallengeAt} />
          </>
        )}
        .
      </p>
    </div>
  );
}
