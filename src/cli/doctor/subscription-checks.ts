import type { Client } from "../../client/client.ts";
import { READ_EVENT_TYPES } from "../../events/activity-event-types.ts";
import type { PlatformTarget } from "../target/target.ts";
import type { AccountClient } from "./credential-checks.ts";
import { fail, failed, type Finding, ok, warn } from "./finding.ts";
import { shell } from "../../text/shell.ts";

/** Fix for missing subscriptions: start the bot, which creates them. */
const RUN = "answerback run";

/**
 * Checks that the accounts' events are subscribed, for each API that the setting `source` uses: account activity, the
 * activity interface, or both.
 */
export async function checkSubscriptions(
  { app, settings }: Pick<PlatformTarget, "app" | "settings">,
  accounts: readonly AccountClient[],
  webhookId: string,
): Promise<readonly Finding[]> {
  const { source } = settings;
  const findings: Finding[] = [];
  const subscribedTypes = source === "webhook" ? undefined : await toldTypes(app, webhookId);
  for (const account of accounts) {
    const newer = subscribedTypes && byActivityInterface(account, subscribedTypes);
    if (source !== "activity") {
      const older = await byAccountActivity(account, webhookId);
      const goesOn = older.state === "fail" && newer?.state === "ok";
      findings.push(goesOn ? warn("subscription", older.message, older.fix ?? RUN) : older);
    }
    if (newer !== undefined) findings.push(newer);
  }
  return findings;
}

async function byAccountActivity(
  { username, client }: AccountClient,
  webhookId: string,
): Promise<Finding> {
  const fix = shell`answerback subscriptions add --as @${username}`;
  try {
    return (await client.activity.isSubscribed(webhookId))
      ? ok("subscription", `@${username}'s events are delivered`)
      : fail("subscription", `@${username}'s events are not delivered`, fix);
  } catch (error) {
    return failed("subscription", error, fix);
  }
}

function byActivityInterface(
  { id, username }: AccountClient,
  subscribedTypes: ReadonlyMap<string, ReadonlySet<string>> | Finding,
): Finding {
  if ("state" in subscribedTypes) return subscribedTypes;
  const types = subscribedTypes.get(id) ?? new Set();
  const count = READ_EVENT_TYPES.filter((type) => types.has(type)).length;
  const by = "by the activity interface";
  return count === 0
    ? fail("subscription", `@${username}'s events are not delivered ${by}`, RUN)
    : ok("subscription", `@${username}: ${count} of ${READ_EVENT_TYPES.length} event types ${by}`);
}

/** Subscribed event types of the webhook by user id; a failed finding if the platform refuses to list them. */
async function toldTypes(
  { activitySubscriptions }: Pick<Client<"bearer">, "activitySubscriptions">,
  webhookId: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>> | Finding> {
  const types = new Map<string, Set<string>>();
  try {
    for await (const { filter, event_type, webhook_id } of activitySubscriptions.list()) {
      const { user_id } = filter;
      if (webhook_id !== webhookId || user_id === undefined) continue;
      types.set(user_id, (types.get(user_id) ?? new Set()).add(event_type));
    }
  } catch (error) {
    return failed("subscription", error, RUN);
  }
  return types;
}
