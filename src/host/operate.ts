import { headlines } from "../config/problem.ts";
import { countedAs } from "../rules/user-state.ts";
import { heldCopies } from "../runtime/backup/held-copies.ts";
import type { ControlHandlers } from "../runtime/control/contract.ts";
import { escalationDesk } from "../runtime/control/escalation-desk.ts";
import {
  type AccountChanges,
  type ConsoleOperations,
  consoleHandlers,
  controlHandlers,
  type HandlerNeeds,
} from "../runtime/control/handlers.ts";
import { type Control, serveControl } from "../runtime/control/server.ts";
import { forgetPerson } from "../runtime/forget/forget-person.ts";
import type { SecretMask } from "../system/secrets/secret-mask.ts";
import type { Pausing } from "./answering/pausing.ts";
import { answerDesk } from "./operating/answer-desk.ts";
import { holdBack } from "./operating/hold-back.ts";
import { measureAt } from "./operating/measure.ts";
import { type RunningStages, statusOf } from "./operating/status.ts";
import type { HostedBot } from "./parts.ts";
import type { KeepAs } from "./receive.ts";

/** Parts of a running bot that its control server, metrics and console need. */
export interface OperatingNeeds extends HostedBot, RunningStages {
  /** Removes secrets from the responses of the control server. */
  readonly mask?: SecretMask | undefined;
  readonly pausing: Pausing;
  readonly keepAs: KeepAs;
  /** Serves the console, if the settings name an address for it. */
  readonly serveConsole?: ServeConsole | undefined;
}

/** Serves a console that uses the handlers of the control server. */
export type ServeConsole = (handlers: ControlHandlers) => Promise<ServedConsole>;

/** A running console. */
export interface ServedConsole extends ConsoleOperations {
  close(): Promise<void>;
}

/** Control server of a bot, and the handlers of its operations. */
export interface Operating {
  readonly control: Control;
  readonly handlers: ControlHandlers;
}

/**
 * Starts the access to a running bot: status, metrics, and the operations of the control server.
 *
 * @throws {UsageError} when the address of the metrics is not available.
 */
export async function startOperating(needs: OperatingNeeds): Promise<Operating> {
  const { settings, clock, events, cleanup, log, mask } = needs;
  const startedAt = new Date(clock.now()).toISOString();
  const escalations = escalationDesk(needs);
  const { held, usernameOf } = needs.answering;
  const holding = holdBack({ ...needs, held, usernameOf, escalations });
  const seen = { ...needs, holdBack: holding, startedAt };
  const metrics = await measureAt(settings.metrics.listen, needs.telemetry.metrics, seen);
  if (metrics !== undefined) cleanup.add("the metrics", () => metrics.close());
  const backups = heldCopies(needs);
  cleanup.add("a backup under way", () => backups.stop());
  const own = controlHandlers({
    ...operations(needs),
    status: () => statusOf({ ...seen, metrics }),
    holdBack: holding,
    escalations,
    backups,
  });
  const served = await needs.serveConsole?.(own);
  cleanup.add("the console", async () => served?.close());
  const handlers = served === undefined ? own : { ...own, ...consoleHandlers(served) };
  const { folder } = needs.process;
  const control = await serveControl({ folder, events, log, mask, handlers, startedAt });
  cleanup.add("the control server", () => control.stop());
  return { control, handlers };
}

/** Returns the operations of the control server that stages of the bot perform. */
function operations(
  needs: OperatingNeeds,
): Omit<HandlerNeeds, "status" | "holdBack" | "escalations" | "backups"> {
  const { settings, store, clock, registry, rules, answering, catchup, link } = needs;
  const { items, inForce, gate } = answering;
  const isLinked = (id: string): boolean => registry.find(id) !== undefined;
  return {
    store,
    catchup,
    items,
    accounts: accountChanges(needs, link),
    answers: answerDesk({
      ...needs,
      append: needs.keepAs("operator"),
      optOut: settings.optOut,
      posting: settings.posts,
    }),
    reload: async () => {
      const { problems, ...reloaded } = await rules.reload();
      const bots = await inForce.reload();
      return { ...reloaded, problems: headlines(problems), bots };
    },
    forget: (person) =>
      forgetPerson({ store, clock, isLinked, countedAs, erasing: answering.erasing }, person),
    limits: () => ({ budgets: gate.budgets(), circuits: gate.circuits() }),
  };
}

/** Returns the operations on linked accounts. Each resolves once the webhook link has reacted to the change. */
function accountChanges(
  { registry, clock }: OperatingNeeds,
  link: OperatingNeeds["link"],
): AccountChanges {
  return {
    async link(account) {
      await registry.put({ linkedAt: clock.now(), ...account });
      await link.settled();
      const { subscribed, refused } = link.status();
      const reason = refused.get(account.id);
      const answer = { subscribed: subscribed.has(account.id) };
      return reason === undefined ? answer : { ...answer, reason };
    },
    async unlink(id) {
      const removed = await registry.remove(id);
      await link.settled();
      return removed;
    },
  };
}
