import { UsageError } from "../../errors.ts";
import type { PlatformTarget } from "./target.ts";

/**
 * Returns the id of the webhook to use: the requested one, the one with the settings' URL, or the only registered one.
 *
 * @throws {UsageError} if there is none, or several are possible.
 */
export async function webhookIdFor(
  { app, settings, sandbox }: PlatformTarget,
  requestedId: string | undefined,
): Promise<string> {
  if (requestedId !== undefined) return requestedId;
  const all = await app.webhooks.list();
  const url = settings.webhook.url ?? sandbox?.file.webhookUrl;
  const own = all.find((webhook) => webhook.url === url) ?? (all.length === 1 ? all[0] : undefined);
  if (own !== undefined) return own.id;
  throw new UsageError(
    all.length === 0 ? "no webhook is registered" : "several webhooks are registered",
    { hint: "list them with: answerback webhooks list, and name one with --webhook ID" },
  );
}
