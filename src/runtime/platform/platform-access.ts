import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { PlatformAccess } from "./clients.ts";
import type { SandboxFile } from "./sandbox-file.ts";

/** Returns addresses and app credentials from the settings, or from the sandbox if the settings have none. */
export function accessFor(settings: Settings, sandbox: SandboxFile | undefined): PlatformAccess {
  const url = settings.webhook.url ?? sandbox?.webhookUrl;
  const isPolling = settings.source === "polling";
  return {
    ...appAccess(settings, sandbox),
    webhookUrl: isPolling ? (url ?? "") : required("webhook.url", url),
  };
}

/** Returns addresses and credentials without the webhook, for commands that only send requests. */
export function appAccess(
  settings: Settings,
  sandbox: SandboxFile | undefined,
): Omit<PlatformAccess, "webhookUrl"> {
  const { platform, app } = settings;
  const { previousConsumerSecret: previous } = app;
  const adsBaseUrl = platform.adsBaseUrl ?? sandbox?.adsBaseUrl;
  return {
    baseUrl: required("platform.base_url", platform.baseUrl ?? sandbox?.baseUrl),
    ...(adsBaseUrl === undefined ? {} : { adsBaseUrl }),
    dialect: platform.dialect,
    consumerKey: required("app.consumer_key", app.consumerKey ?? sandbox?.app.consumerKey),
    consumerSecret: required(
      "app.consumer_secret",
      app.consumerSecret ?? sandbox?.app.consumerSecret,
    ),
    ...(previous === undefined ? {} : { previousConsumerSecret: previous }),
    bearerToken: required("app.bearer_token", app.bearerToken ?? sandbox?.app.bearerToken),
  };
}

function required(setting: string, value: string | undefined): string {
  if (value !== undefined) return value;
  const variable = `ANSWERBACK_${setting.replace(".", "_").toUpperCase()}`;
  throw new UsageError(`${setting} is not set, and the live platform needs it`, {
    hint: `set it in config/answerback.yaml, or as ${variable} in the environment`,
  });
}
