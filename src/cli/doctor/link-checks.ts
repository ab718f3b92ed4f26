import { createHmac, randomBytes } from "node:crypto";
import { fetch } from "undici";
import { PlatformError } from "../../client/errors.ts";
import type { RuntimeStatus } from "../../runtime/control/server.ts";
import type { Target } from "../target/target.ts";
import type { AccountClient } from "./credential-checks.ts";
import { type Finding, fail, failed, ok } from "./finding.ts";

const RESTART = "start the bot, which registers it: answerback run (or dev)";

/** Whether the webhook is registered and the platform gets its challenge answered there, now. */
export async function webhookOf(
  target: Target,
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
    const known = (await app.webhooks.list()).find((webhook) => webhook.url === url);
    if (known === undefined) {
      return { id: undefined, finding: fail("webhook", `${url} is not registered`, RESTART) };
    }
    await app.webhooks.validate(known.id);
    const isValid = (await app.webhooks.list()).some(({ id, valid }) => id === known.id && valid);
    const finding = isValid
      ? ok("webhook", `${url} answers the platform's challenge`)
      : fail("webhook", `${url} did not answer the platform's challenge`, reach(target));
    return { id: known.id, finding };
  } catch (error) {
    const isChallenge = error instanceof PlatformError && error.reason === "CrcValidationFailed";
    return {
      id: undefined,
      finding: isChallenge
        ? fail("webhook", error.message, reach(target))
        : failed("webhook", error, RESTART),
    };
  }
}

function reach({ settings }: Target): string {
  const { host, port } = settings.webhook.listen;
  return `see that the proxy passes it on to ${host}:${port}, query and all, and that the bot runs`;
}

/** Whether the bot itself answers a challenge as the app's secret wants it: the proxy left aside. */
export async function challengeOf(
  { access }: Target,
  { webhook }: RuntimeStatus,
): Promise<Finding> {
  const token = randomBytes(16).toString("hex");
  const signature = createHmac("sha256", access.consumerSecret).update(token).digest("base64");
  const path = new URL(webhook.url).pathname;
  try {
    const answer = await fetch(`http://${webhook.listen}${path}?crc_token=${token}`);
    const told = await answer.text();
    return told.includes(`"sha256=${signature}"`)
      ? ok("challenge", `${webhook.listen} answers it rightly`)
      : fail(
          "challenge",
          `${webhook.listen} answers with another secret's signature`,
          "start the bot again with the app's present secret",
        );
  } catch (error) {
    return failed("challenge", error, "start the bot again");
  }
}

/** Whether the platform delivers the accounts' events. */
export async function subscriptionsOf(
  accounts: readonly AccountClient[],
  webhookId: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { username, client } of accounts) {
    try {
      findings.push(
        (await client.activity.isSubscribed(webhookId))
          ? ok("subscription", `@${username}'s events come`)
          : fail(
              "subscription",
              `@${username}'s events don't come`,
              `answerback subscriptions add --as @${username}`,
            ),
      );
    } catch (error) {
      findings.push(
        failed("subscription", error, `answerback subscriptions add --as @${username}`),
      );
    }
  }
  return findings;
}
