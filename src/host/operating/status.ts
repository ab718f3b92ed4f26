import type { BotStanding } from "../../bots/bot-host.ts";
import { headlines } from "../../config/problem.ts";
import { loginCommand } from "../../runtime/accounts/account-alarm.ts";
import type { LinkedAccount } from "../../runtime/accounts/linked-account.ts";
import type { WebhookLinkStatus } from "../../runtime/webhook-link/link.ts";
import type { Answering } from "../answer.ts";
import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";
import type { HoldBack } from "./hold-back.ts";
import type { OtherInstance, OtherInstances } from "../../runtime/instances/other-instances.ts";
import type { Missing } from "../../runtime/readiness.ts";
import type { SearchStatus } from "../../runtime/search/search-source.ts";
import type { CrashTrial } from "../../runtime/runs/crash-trial.ts";
import type { Colleague } from "../roles/colleague.ts";
import type { BotParts } from "../parts.ts";
import { LEADERS_PARTITION } from "../roles/leaders-seat.ts";
import type { Leading } from "../roles/leading.ts";
import type { Colleagues } from "../roles/presence.ts";
import { dayText, type MonthOfPosts } from "../../runtime/usage/post-cap.ts";
import { writtenStats } from "../../runtime/store/written-by.ts";
import type { WebhookSourceStatus } from "../../runtime/webhook/webhook-source.ts";

/** Stages of a running bot that the status and the control server read. */
export interface RunningStages {
  readonly link: Leading["link"];
  readonly catchup: Leading["catchup"];
  readonly searches: Leading["searches"];
  readonly posts: Leading["posts"];
  readonly answering: Answering;
  readonly source: { status(): WebhookSourceStatus };
  /** Processes that share the store. */
  readonly colleagues: Pick<Colleagues, "name" | "all">;
  readonly others: Pick<OtherInstances, "list">;
  readonly trial: Pick<CrashTrial, "all">;
  readonly missing: () => Promise<readonly Missing[]>;
}

/** Parts of a bot that its status is read from. */
export interface StatusNeeds
  extends
    RunningStages,
    Pick<
      BotParts,
      "settings" | "platform" | "clients" | "rules" | "clock" | "accounts" | "store" | "log"
    > {
  readonly holdBack: Pick<HoldBack, "paused" | "silenced" | "held">;
  /** Address of the metrics endpoint; undefined if none is served. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Start of the process in ISO 8601, by the platform's clock. */
  readonly startedAt: string;
}

/** Returns the current status of a running runtime. */
export async function statusOf(needs: StatusNeeds): Promise<RuntimeStatus> {
  const { rules, clock } = needs;
  const stats = await writtenStats(needs.store);
  const { bots } = needs.answering;
  const link = needs.link.status();
  return {
    target: needs.settings.target,
    source: needs.settings.source,
    startedAt: needs.startedAt,
    now: new Date(clock.now()).toISOString(),
    missing: [...(await needs.missing()), ...needs.answering.stalled()],
    webhook: webhookOf(needs, link),
    ...(needs.metrics && { metrics: { listen: `${needs.metrics.host}:${needs.metrics.port}` } }),
    accounts: needs.accounts.list().map((account) => accountOf(account, link, needs.clients)),
    catchup: needs.catchup.status(),
    ...searchesOf(needs.searches()),
    ...postsOf(needs.posts()),
    rules: {
      count: rules.ruleset.rules.length,
      revision: rules.ruleset.revision,
      problems: headlines(rules.problems),
    },
    bots: bots.bots.map(({ name, triggers, maxAgeMs }) => {
      const trouble = bots.trouble(name);
      return {
        name,
        triggers: [...triggers],
        ...(maxAgeMs !== undefined && { maxAgeMs }),
        ...(bots.isWaitedFor(name) && { waits: true as const }),
        ...(trouble !== undefined && { trouble: troubleOf(trouble, clock.now()) }),
      };
    }),
    botFaults: bots.faults.map(({ file, message }) => `${file}: ${message}`),
    loadingBots: bots.loading.map(({ file, since, failed }) => ({
      file,
      since: new Date(since).toISOString(),
      ...(failed && { failed: failed.reason, retryAt: new Date(failed.retryAt).toISOString() }),
    })),
    otherInstances: (await needs.others.list()).map((other) => otherOf(other, needs.accounts)),
    paused: needs.holdBack.paused(),
    ...(await needs.holdBack.silenced()),
    held: stats.items.held === 0 ? [] : await needs.holdBack.held(),
    givenUp: needs.trial.all().map((one) => ({ ...one })),
    work: needs.answering.status(),
    store: stats,
    process: needs.colleagues.name,
    processes: needs.colleagues.all().map(processOf),
  };
}

function searchesOf(
  status: SearchStatus | undefined,
): Pick<RuntimeStatus, "searches" | "searchStream"> {
  if (status === undefined) return { searches: [] };
  const { stream, queries } = status;
  const { isUsed: used, why } = stream;
  return {
    searches: queries.map(searchOf),
    ...(queries.length > 0 && { searchStream: { used, why } }),
  };
}

function searchOf({
  query,
  account,
  readAt,
  whyRecent,
  trouble,
  lost,
  limit,
}: SearchStatus["queries"][number]): NonNullable<RuntimeStatus["searches"]>[number] {
  return {
    query,
    account,
    ...dated("lastReadAt", readAt),
    ...(whyRecent !== undefined && { whyRecent }),
    ...(trouble !== undefined && { trouble }),
    ...(lost && { lost: { from: isoOf(lost.from), to: isoOf(lost.to) } }),
    ...(limit && { limit: { ...limit, resetAt: new Date(limit.resetAt).toISOString() } }),
  };
}

function postsOf(month: MonthOfPosts | undefined): Pick<RuntimeStatus, "posts"> {
  if (month === undefined) return {};
  const { used, cap, resetsOn, readAt } = month;
  return {
    posts: { used, cap, resetsOn: dayText(resetsOn), readAt: new Date(readAt).toISOString() },
  };
}

function webhookOf(
  { source, platform }: StatusNeeds,
  { webhookId, valid, trouble, arrivals }: WebhookLinkStatus,
): RuntimeStatus["webhook"] {
  const { host, port, shedding, shed } = source.status();
  const { challenges, deliveries, lastChallengeAt, lastDeliveryAt } = arrivals;
  return {
    listen: `${host}:${port}`,
    url: platform.webhookUrl,
    ...(webhookId === undefined ? {} : { id: webhookId }),
    valid,
    shedding,
    shed,
    ...(trouble === undefined ? {} : { trouble }),
    challenges,
    deliveries,
    ...dated("lastChallengeAt", lastChallengeAt),
    ...dated("lastDeliveryAt", lastDeliveryAt),
  };
}

function accountOf(
  { id, username, revoked }: LinkedAccount,
  { subscribed, refused, lastDeliveryOf }: WebhookLinkStatus,
  clients: StatusNeeds["clients"],
): RuntimeStatus["accounts"][number] {
  const reason = revoked ?? refused.get(id);
  const permissionLevel = clients.of(id)?.accessLevel;
  return {
    id,
    username,
    subscribed: subscribed.has(id),
    ...(permissionLevel !== undefined && { permissionLevel }),
    ...dated("lastDeliveryAt", lastDeliveryOf(id)),
    ...(reason !== undefined && { reason }),
    ...(revoked !== undefined && { fix: loginCommand(username) }),
  };
}

function otherOf(
  { account, reason, since, holdsBack }: OtherInstance,
  accounts: StatusNeeds["accounts"],
): NonNullable<RuntimeStatus["otherInstances"]>[number] {
  const username = accounts.list().find(({ id }) => id === account)?.username;
  return {
    account,
    ...(username !== undefined && { username }),
    reason,
    since: new Date(since).toISOString(),
    holdsBack,
  };
}

function processOf(one: Colleague): RuntimeStatus["processes"][number] {
  const { name, role, pid, startedAt, rules, leases, isLeaving, aheadMs } = one;
  return {
    name,
    role,
    pid,
    startedAt,
    rules,
    leads: leases.some(([partition]) => partition === LEADERS_PARTITION),
    partitions: leases.map(([partition]) => partition),
    isLeaving,
    ...(aheadMs !== undefined && { clockAheadMs: aheadMs }),
  };
}

function troubleOf({ faults, latest, place, at, asideMs }: BotStanding, now: number) {
  return {
    faults,
    latest,
    ...(place !== undefined && { place }),
    at: new Date(at).toISOString(),
    ...(asideMs > 0 && { asideUntil: new Date(now + asideMs).toISOString() }),
  };
}

/** Returns a time as ISO 8601 under `name`; an empty object without a time. */
function dated<Name extends string>(
  name: Name,
  at: number | undefined,
): { readonly [N in Name]?: string } {
  const entry: { [N in Name]?: string } = {};
  if (at !== undefined) entry[name] = isoOf(at);
  return entry;
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
