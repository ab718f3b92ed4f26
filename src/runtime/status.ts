import type { BotHost } from "../bots/host.ts";
import { headline, type Problem } from "../config/problem.ts";
import type { Settings } from "../config/settings.ts";
import type { Ruleset } from "../rules/ruleset.ts";
import type { LinkedAccount } from "./accounts/registry.ts";
import type { PlatformAccess } from "./clients.ts";
import type { Clock } from "./clock.ts";
import type { RuntimeStatus } from "./control/server.ts";
import type { Link } from "./link/link.ts";
import type { WebhookServer } from "./webhook/server.ts";

/** What a status is read from. */
export interface StatusNeeds {
  readonly settings: Settings;
  readonly platform: PlatformAccess;
  readonly rules: { readonly ruleset: Ruleset; readonly problems: readonly Problem[] };
  readonly clock: Clock;
  readonly linked: readonly LinkedAccount[];
  readonly link: Link;
  readonly bots: BotHost;
  readonly server: WebhookServer;
  /** ISO 8601, by the platform's clock. */
  readonly startedAt: string;
}

/** What a running runtime says of itself, as of now. */
export function statusOf(needs: StatusNeeds): RuntimeStatus {
  const { settings, platform, rules, clock, link, bots, server } = needs;
  return {
    target: settings.target,
    startedAt: needs.startedAt,
    now: new Date(clock.now()).toISOString(),
    webhook: {
      listen: `${server.host}:${server.port}`,
      url: platform.webhookUrl,
      id: link.webhookId,
    },
    accounts: needs.linked.map(({ id, username }) => ({
      id,
      username,
      subscribed: link.subscribed.has(id),
    })),
    rules: {
      count: rules.ruleset.rules.length,
      revision: rules.ruleset.revision,
      problems: rules.problems.map(headline),
    },
    bots: bots.bots.map(({ name, triggers }) => ({ name, triggers })),
    botFaults: bots.faults.map(({ file, message }) => `${file}: ${message}`),
  };
}
