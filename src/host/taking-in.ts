import { UsageError } from "../errors.ts";
import type { AccountRegistry } from "../runtime/accounts/registry.ts";
import type { ServedAccounts } from "../runtime/accounts/served-accounts.ts";
import type { Answering } from "./answering.ts";
import type { Catchup } from "../runtime/catchup/catchup-parts.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import type { LinkWatch } from "./intake.ts";
import { openJournal, type Journal } from "../runtime/journal/journal.ts";
import type { CleanupStack } from "../runtime/loop/cleanup-stack.ts";
import { followOutages } from "../runtime/outages/outages.ts";
import type { WorldConfirmation } from "../runtime/platform/confirm-world.ts";
import type { RulesInForce } from "../runtime/reload/rules-in-force.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import { type SchedulesNeeds, startSchedules } from "../runtime/schedule/schedules.ts";
import type { Append, Source } from "../runtime/source.ts";
import type { StoreHealth } from "./store-health.ts";
import type { AppendPort, ReadPort, Store } from "../runtime/store/store.ts";
import type { Telemetry } from "../runtime/telemetry/telemetry.ts";

/** What the journal stands on. */
export interface JournalParts {
  readonly store: AppendPort & Pick<ReadPort, "journal">;
  readonly clock: Clock;
  readonly events: Pick<RuntimeEvents, "publish">;
  readonly accounts: Pick<AccountRegistry, "revoke" | "find">;
}

/** Who learns of what is new in the journal. */
export interface JournalListeners {
  readonly catchup: Pick<Catchup, "sourceOf" | "onAppended" | "onKnown">;
  readonly telemetry: Telemetry;
}

/** The journal, and who learns of what is new in it. */
export function journalOf(
  { store, clock, events, accounts }: JournalParts,
  answering: Pick<Answering, "arrived">,
  { catchup, telemetry }: JournalListeners,
): Journal {
  return openJournal({
    store,
    clock,
    usernameOf: (id) => accounts.find(id)?.username,
    sourceOf: (source, at) => catchup.sourceOf(source, at),
    appending: telemetry.appending,
    onAppended: (entries, found) => {
      answering.arrived(found);
      catchup.onAppended(entries);
      for (const { key, account, lane, kind, source } of entries) {
        events.publish({ type: "event-received", data: { key, account, lane, kind, source } });
      }
    },
    onKnown: (entries) => catchup.onKnown(entries),
    onRevoked: (account, at) =>
      accounts.revoke(account, { at, reason: "its owner took the app's authorization away" }),
  });
}

/** How what comes by a source goes into the journal: all of them end there. */
export function appending(
  journal: Journal,
  health: StoreHealth,
): (source: Source["name"]) => Append {
  return (source) => async (delivery, raw) => {
    try {
      const fresh = await journal.append(delivery, raw, source);
      health.kept();
      return fresh;
    } catch (error) {
      health.failed(error);
      throw error;
    }
  };
}

/** What stands between the sources and the journal. */
export interface Taking {
  readonly keepAs: (source: Source["name"]) => Append;
  readonly gate: Pick<Catchup["gate"], "pass">;
  readonly cleanup: CleanupStack;
  readonly world: Pick<WorldConfirmation, "isConfirmed">;
  /** Called with the account of each delivery that is kept. */
  readonly onArrived: (account: string) => void;
  readonly telemetry: Pick<Telemetry, "takingIn">;
}

/** Starts a source; nothing is taken in until it is known whose events those are. */
export async function startSource(
  source: Source,
  { keepAs, gate, cleanup, world, onArrived, telemetry }: Taking,
): Promise<void> {
  cleanup.add(`the source ${source.name}`, () => source.stop());
  const keep = keepAs(source.name);
  const takeIn: Append = async (delivery, raw) => {
    if (!world.isConfirmed()) throw new UsageError("it is not known yet whose events these are");
    await gate.pass(delivery);
    const fresh = await keep(delivery, raw);
    onArrived(accountOf(delivery));
    return fresh;
  };
  await source.start(telemetry.takingIn(source.name, takeIn));
}

/** What events of the runtime's own stand on. */
export interface OwnEventsNeeds extends Pick<SchedulesNeeds, "keepAs" | "clock" | "log"> {
  readonly rules: Pick<RulesInForce, "ruleset" | "onChanged">;
  readonly accounts: Pick<ServedAccounts, "list" | "find" | "subscribe">;
  /** Whether the platform's events come. */
  readonly watch: LinkWatch;
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly world: Pick<WorldConfirmation, "onConfirmed">;
  readonly cleanup: CleanupStack;
}

/** Starts what puts events of the runtime's own into the journal, once it is known whose it is. */
export function startOwnEvents(needs: OwnEventsNeeds): void {
  const { rules, accounts, keepAs, store, clock, log, world, watch, cleanup } = needs;
  let isOver = false;
  cleanup.add("the wait for its own events", () => void (isOver = true));
  world.onConfirmed(() => {
    if (isOver) return;
    const schedules = startSchedules({
      ruleset: () => rules.ruleset,
      accounts: accounts.list,
      keepAs,
      memory: store,
      clock,
      log: log.child({ stage: "schedule" }),
    });
    const outages = followOutages({
      ...watch,
      isServed: (id) => {
        const account = accounts.find(id);
        return account !== undefined && account.revoked === undefined;
      },
      append: keepAs("link"),
      memory: store,
      clock,
      log: log.child({ stage: "link" }),
    });
    cleanup.add("the link's outages", () => outages.stop());
    cleanup.add("the schedules", () => schedules.stop());
    cleanup.add(
      "news of rules",
      rules.onChanged(() => schedules.wake()),
    );
    cleanup.add(
      "news of accounts",
      accounts.subscribe(() => schedules.wake()),
    );
  });
}

/** User id of the account that a delivery is for; empty where it names none. */
function accountOf(delivery: object): string {
  const { for_user_id: account = "" }: { for_user_id?: unknown } = delivery;
  return typeof account === "string" ? account : "";
}
