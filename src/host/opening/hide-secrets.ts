import type { LinkedAccount } from "../../runtime/accounts/linked-account.ts";
import type { AccountRegistry } from "../../runtime/accounts/registry.ts";
import type { PlatformAccess } from "../../runtime/platform/clients.ts";
import type { Settings } from "../../config/settings.ts";
import { passwordsIn } from "../../system/postgres-url.ts";
import type { SecretLimits } from "../../rules/secrets.ts";
import type { SecretMask } from "../../system/secrets/secret-mask.ts";

/** Secrets of a runtime, to be masked in its logs. */
export interface RuntimeSecrets {
  readonly platform: PlatformAccess;
  readonly accounts: Pick<AccountRegistry, "list" | "subscribe">;
  readonly others: readonly (string | undefined)[];
}

/** Environment variables that hold credentials and are not settings. */
const CREDENTIAL_VARIABLES = [
  "ANSWERBACK_KEY",
  "ANSWERBACK_ACCESS_TOKEN",
  "ANSWERBACK_ACCESS_TOKEN_SECRET",
] as const;

/** Returns Answerback's own credentials. Rules may not read these values, whatever environment variable holds them. */
function ownCredentials(
  { app, console, store }: Pick<Settings, "app" | "console" | "store">,
  environment: Readonly<Record<string, string | undefined>>,
  platform?: Pick<PlatformAccess, "consumerSecret" | "previousConsumerSecret" | "bearerToken">,
): readonly string[] {
  return [
    ...[app, platform].flatMap((one) => [
      one?.consumerSecret,
      one?.previousConsumerSecret,
      one?.bearerToken,
    ]),
    console.adminToken,
    ...passwordsIn(store.url),
    ...CREDENTIAL_VARIABLES.map((name) => environment[name]),
  ].flatMap((value) => (value === undefined || value === "" ? [] : [value]));
}

/** Returns the limits on the environment variables that rules may read as secrets. */
export function secretLimits(
  settings: Settings,
  environment: Readonly<Record<string, string | undefined>>,
  platform?: Parameters<typeof ownCredentials>[2],
): SecretLimits {
  return {
    ...settings.secrets,
    credentials: ownCredentials(settings, environment, platform),
  };
}

/** Adds the secrets of a runtime to its mask, including the tokens of accounts that are linked later. */
export function hideSecrets(
  mask: SecretMask,
  { platform, accounts, others }: RuntimeSecrets,
): void {
  const { consumerSecret, previousConsumerSecret, bearerToken } = platform;
  const ofApp = [consumerSecret, previousConsumerSecret, bearerToken];
  for (const value of [...ofApp, ...others]) mask.hide(value);
  const hideTokens = ({ accessToken, accessTokenSecret }: LinkedAccount): void => {
    mask.hide(accessToken);
    mask.hide(accessTokenSecret);
  };
  for (const account of accounts.list()) hideTokens(account);
  accounts.subscribe(({ account }) => hideTokens(account));
}
