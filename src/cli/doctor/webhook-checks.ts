import { createHmac, randomBytes } from "node:crypto";
import { fetch } from "undici";
import { PlatformError } from "../../client/errors.ts";
import type { RuntimeStatus } from "../../runtime/vocabulary.ts";
import type { PlatformTarget } from "../target/target.ts";
import { type Finding, fail, failed, ok } from "./finding.ts";

const RESTART = "start the bot, which registers it: answerback run (or dev)";

/**
 * Checks whether the webhook is registered, and whether the platform gets a valid answer to its challenge at the
 * webhook's URL.
 */
export async function checkWebhook(
  target: PlatformTarget,
): Promise<{ readonly finding: Finding; readonly id: string | undefined }> {
  const { app, settings, sandbox } = target;
  const url = settings.webhook.url ?? sandbox?.file.webhookUrl;
  if (url === undefined) {
    return {
      id: undefined,
      finding: fail("webhook", "webhook.url is not set", "set it in the settings"),
    };
  }
  try {
    const registeredWebhook = (await app.webhooks.list()).find((webhook) => webhook.url === url);
    if (registeredWebhook === undefined) {
      return { id: undefined, finding: fail("webhook", `${url} is not registered`, RESTART) };
    }
    await app.webhooks.validate(registeredWebhook.id);
    const isValid = (await app.webhooks.list()).some(
      ({ id, valid }) => id === registeredWebhook.id && valid,
    );
    const finding = isValid
      ? ok("webhook", `${url} answers the platform's challenge`)
      : fail("webhook", `${url} did not answer the platform's challenge`, proxyHint(target));
    return { id: registeredWebhook.id, finding };
  } catch (error) {
    const isChallenge = error instanceof PlatformError && error.reason === "CrcValidationFailed";
    return {
      id: undefined,
      finding: isChallenge
        ? fail("webhook", error.message, proxyHint(target))
        : failed("webhook", error, RESTART),
    };
  }
}

function proxyHint({ settings }: PlatformTarget): string {
  const { host, port } = settings.webhook.listen;
  return `check that the bot runs and that the proxy forwards to ${host}:${port}, including the query`;
}

/** Whether the bot itself answers a challenge with the right signature, without the proxy in between. */
export async function checkChallenge(
  { access }: PlatformTarget,
  { webhook }: RuntimeStatus,
): Promise<Finding> {
  const token = randomBytes(16).toString("hex");
  const signature = createHmac("sha256", access.consumerSecret).update(token).digest("base64");
  const path = new URL(webhook.url).pathname;
  try {
    const answer = await fetch(`http://${webhook.listen}${path}?crc_token=${token}`);
    const body = await answer.text();
    return body.includes(`"sha256=${signature}"`)
      ? ok("challenge", `${webhook.listen} answers it correctly`)
      : fail(
          "challenge",
          `${webhook.listen} signs its answer with another secret`,
          "start the bot again with the app's current secret",
        );
  } catch (error) {
    return failed("challenge", error, "start the bot again");
  }
}
