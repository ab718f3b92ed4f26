import { PlatformError } from "../../../client/errors.ts";
import { adviceOn } from "../../../runtime/delivery.ts";
import type { PlatformTarget } from "../../target/target.ts";
import { type Finding, fail, failed, ok } from "../finding.ts";
import type { Here } from "./here.ts";

export interface WebhookStep {
  readonly finding: Finding;
  /** Id of the webhook that the platform has registered, if any. */
  readonly id?: string;
}

/**
 * Registers the webhook, or requests a new challenge of the existing one. The platform then calls the public address
 * and accepts or refuses the answer.
 */
export async function checkRegistration(
  { app }: PlatformTarget,
  url: string,
  here: Here,
): Promise<WebhookStep> {
  const before = await here.challenges();
  try {
    const registeredWebhook = (await app.webhooks.list()).find((webhook) => webhook.url === url);
    if (registeredWebhook === undefined) {
      const { id } = await app.webhooks.create(url);
      return {
        id,
        finding: ok("webhook", "registered; the platform's first challenge is answered"),
      };
    }
    await app.webhooks.validate(registeredWebhook.id);
    const isValid = (await app.webhooks.list()).some(
      ({ id, valid }) => id === registeredWebhook.id && valid,
    );
    if (isValid) {
      return {
        id: registeredWebhook.id,
        finding: ok("webhook", "the platform's challenge is answered"),
      };
    }
    const arrived = (await here.challenges()) > before;
    return { id: registeredWebhook.id, finding: notAnswered(url, arrived, "valid is still false") };
  } catch (error) {
    if (!(error instanceof PlatformError) || error.reason !== "CrcValidationFailed") {
      const advice = adviceOn(error) ?? "read what the platform says, then try again";
      return { finding: failed("webhook", error, advice) };
    }
    const arrived = (await here.challenges()) > before;
    return { finding: notAnswered(url, arrived, error.message) };
  }
}

function notAnswered(url: string, arrived: boolean, said: string): Finding {
  const { hostname } = new URL(url);
  const fix = arrived
    ? "copy the API secret of this very app from the portal into .env: the answer is signed with it"
    : `the platform does not get through to ${hostname}: look at its DNS, port 443 and certificate from elsewhere`;
  return {
    ...fail("webhook", "the platform did not take the answer to its challenge", fix),
    details: [
      `asked:      GET ${url}?crc_token=…, by the platform`,
      `came back:  ${said}`,
      `seen here:  ${arrived ? "yes, and answered" : "no"}`,
    ],
  };
}
