import { noAccountLeft } from "../../runtime/accounts/account-alarm.ts";
import type { ServedAccounts } from "../../runtime/accounts/served-accounts.ts";
import type { Answering } from "../answer.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Missing } from "../../runtime/readiness.ts";
import type { WebhookLinkStatus } from "../../runtime/webhook-link/link.ts";

export interface IdlePartsNeeds {
  readonly accounts: Pick<ServedAccounts, "list">;
  readonly link: { status(): Pick<WebhookLinkStatus, "refused"> };
  readonly answering: { readonly bots: Pick<Answering["bots"], "loading"> };
  readonly clock: Clock;
}

/** Returns the parts that cannot work now: no linked account can be used, or a bot is not loaded yet. */
export function idleParts({
  accounts,
  link,
  answering,
  clock,
}: IdlePartsNeeds): readonly Missing[] {
  const { refused } = link.status();
  const noAccount = noAccountLeft(accounts, (id) => refused.get(id));
  const loading = answering.bots.loading.flatMap(({ file, since, failed }) => {
    if (failed !== undefined) return [];
    const seconds = Math.max(0, Math.round((clock.now() - since) / 1_000));
    return [{ part: "bots", reason: `${file} has been loading for ${seconds} s` }];
  });
  return [...(noAccount === undefined ? [] : [noAccount]), ...loading];
}
