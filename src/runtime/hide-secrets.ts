import type { LinkedAccount } from "./accounts/linked-account.ts";
import type { AccountRegistry } from "./accounts/registry.ts";
import type { PlatformAccess } from "./clients.ts";
import type { SecretMask } from "../system/secret-mask.ts";

/** What a runtime knows that nobody is to see. */
export interface RuntimeSecrets {
  readonly platform: PlatformAccess;
  readonly accounts: Pick<AccountRegistry, "list" | "subscribe">;
  readonly others: readonly (string | undefined)[];
}

/** Makes the secrets of a runtime known to its mask, those of accounts that are linked later, too. */
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
