import { headlines } from "../config/problem.ts";
import type { Settings } from "../config/settings.ts";
import type { AccountRegistry } from "../runtime/accounts/registry.ts";
import type { ServedAccounts } from "../runtime/accounts/served-accounts.ts";
import type { Answering } from "./answering.ts";
import { heldCopies } from "../runtime/backup/held-copies.ts";
import { answerDesk } from "./by-hand/answer-desk.ts";
import type { Catchup } from "../runtime/catchup/catchup-parts.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import type { ControlHandlers } from "../runtime/control/contract.ts";
import {
  controlHandlers,
  type AccountChanges,
  type ConsoleOperations,
} from "../runtime/control/handlers.ts";
import { type Control, type ControlNeeds, serveControl } from "../runtime/control/server.ts";
import { escalationDesk } from "../runtime/control/escalation-desk.ts";
import { countedAs } from "../rules/decide/counted.ts";
import { forgetPerson } from "../runtime/forget/forget-person.ts";
import { holdBack } from "./by-hand/hold-back.ts";
import type { CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { measureAt } from "./measure.ts";
import type { Pausing } from "./pausing.ts";
import type { WorldConfirmation } from "../runtime/platform/confirm-world.ts";
import { statusOf, type StatusNeeds } from "./status.ts";
import type { RulesInForce } from "../runtime/reload/rules-in-force.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import type { Colleagues } from "./roles/presence.ts";
import type { Append } from "../runtime/source.ts";
import type { EntrySource } from "../runtime/store/entry.ts";
import type { Store } from "../runtime/store/store.ts";
import type { Metrics } from "../runtime/telemetry/metrics.ts";
import type { WebhookLink } from "../runtime/webhook-link/link.ts";

/** What the operator sees and changes. */
export interface OperatingNeeds
  extends
    Pick<StatusNeeds, "source" | "missing" | "trial" | "others">,
    Pick<ControlNeeds, "folder" | "log" | "mask"> {
  readonly settings: Pick<Settings, "target" | "source" | "metrics" | "optOut" | "posts">;
  readonly rules: RulesInForce;
  readonly events: RuntimeEvents;
  readonly platform: { readonly webhookUrl: string };
  readonly store: Store;
  readonly clock: Clock;
  readonly accounts: AccountRegistry;
  /** Those of them that this runtime answers for. */
  readonly served: ServedAccounts;
  readonly link: Pick<WebhookLink, "status" | "settled">;
  /** Those that share the store. */
  readonly colleagues: Pick<Colleagues, "name" | "all">;
  readonly catchup: Pick<Catchup, "coverage" | "replay" | "replays" | "status">;
  readonly answering: Answering;
  readonly pausing: Pausing;
  /** Returns the function that appends the events of a source to the journal. */
  readonly keepAs: (source: EntrySource) => Append;
  readonly world: Pick<WorldConfirmation, "isConfirmed">;
  /** Absent: nothing is measured. */
  readonly metrics: Metrics | undefined;
  readonly cleanup: CleanupStack;
  /** Serves the console, where the settings have a place for it. */
  readonly serveConsole?: ((handlers: ControlHandlers) => Promise<ServedConsole>) | undefined;
}

/** A console that is served. */
export interface ServedConsole extends ConsoleOperations {
  close(): Promise<void>;
}

/** The way in for operators and their tools. */
export interface Operating {
  readonly control: Control;
  readonly handlers: ControlHandlers;
}

/**
 * Lets a running runtime be seen and changed: status, metrics, and the operations of the control server.
 *
 * @throws {UsageError} when the address of the metrics can't be had.
 */
export async function startOperating(needs: OperatingNeeds): Promise<Operating> {
  const { settings, store, clock, log, served: accounts, link, answering, cleanup } = needs;
  const { items, held, usernameOf } = answering;
  const escalations = escalationDesk(needs);
  const holding = holdBack({ pausing: needs.pausing, held, accounts, escalations, usernameOf });
  const startedAt = new Date(clock.now()).toISOString();
  const { target } = settings;
  const url = needs.platform.webhookUrl;
  const seen = { ...needs, accounts, holdBack: holding, startedAt, target, url };
  const metrics = await measureAt(settings.metrics.listen, needs.metrics, seen);
  if (metrics !== undefined) cleanup.add("the metrics", () => metrics.close());
  const backups = heldCopies({ store, clock, log });
  cleanup.add("a backup under way", () => backups.stop());
  const isLinked = (id: string): boolean => needs.accounts.find(id) !== undefined;
  let served: ServedConsole | undefined;
  const handlers = controlHandlers({
    status: () => statusOf({ ...seen, metrics }),
    store,
    catchup: needs.catchup,
    accounts: accountChanges(needs, link),
    items,
    escalations,
    answers: answerDesk({
      ...needs,
      accounts,
      append: needs.keepAs("operator"),
      optOut: settings.optOut,
      posting: settings.posts,
    }),
    holdBack: holding,
    backups,
    reload: async () => {
      const { problems, ...reloaded } = await needs.rules.reload();
      const bots = await answering.inForce.reload();
      return { ...reloaded, problems: headlines(problems), bots };
    },
    forget: (person) => forgetPerson({ store, clock, isLinked, countedAs }, person),
    limits: () => ({ budgets: answering.gate.budgets(), circuits: answering.gate.circuits() }),
    console: () => served,
  });
  served = await needs.serveConsole?.(handlers);
  cleanup.add("the console", async () => served?.close());
  const control = await serveControl({ ...needs, handlers, startedAt });
  cleanup.add("the control server", () => control.stop());
  return { control, handlers };
}

/** Changes of the linked accounts; each is answered once the platform has been asked to follow. */
function accountChanges(
  { accounts, clock }: OperatingNeeds,
  link: OperatingNeeds["link"],
): AccountChanges {
  return {
    async link(account) {
      await accounts.put({ linkedAt: clock.now(), ...account });
      await link.settled();
      const { subscribed, refused } = link.status();
      const reason = refused.get(account.id);
      const answer = { subscribed: subscribed.has(account.id) };
      return reason === undefined ? answer : { ...answer, reason };
    },
    async unlink(id) {
      const removed = await accounts.remove(id);
      await link.settled();
      return removed;
    },
  };
}
