import { TOKEN_IS_GONE } from "../client/http/problem.ts";
import { loginCommand } from "../runtime/accounts/account-alarm.ts";
import type { LinkedAccount } from "../runtime/accounts/linked-account.ts";
import type { Clients } from "../runtime/platform/clients.ts";
import type { Clock } from "../runtime/clock/clock.ts";
import type { Log } from "../runtime/log.ts";
import { type Gate, openGate, type Trouble } from "../runtime/outbox/gate/gate.ts";
import type { SharedBudgets } from "../runtime/outbox/gate/shared-budgets.ts";
import { rememberSpent } from "../runtime/outbox/gate/spent-limits.ts";
import type { Missing } from "../runtime/readiness.ts";
import type { RuntimeEvents } from "../runtime/runtime-events.ts";
import type { AdminPort } from "../runtime/store/store.ts";

export interface AlarmNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: Pick<RuntimeEvents, "publish">;
  readonly accountOf: (id: string) => Pick<LinkedAccount, "username"> | undefined;
  readonly clients: Pick<Clients, "of">;
  readonly store: Pick<AdminPort, "getMeta" | "setMeta">;
  /** The platform's limits as other processes spend them, too; absent: nobody else does. */
  readonly shared?: SharedBudgets | undefined;
}

/** The gate of all requests of the outbox, and what keeps them back now. */
export interface AlarmedGate {
  readonly gate: Gate;
  readonly stalled: () => readonly Missing[];
}

/** Opens the gate. What keeps requests back is told once, and again when it is over. */
export async function alarmedGate(needs: AlarmNeeds): Promise<AlarmedGate> {
  const { clock, log, events, clients, store } = needs;
  const inWords = (trouble: Trouble): string => wordsFor(trouble, needs.accountOf);
  const gate = openGate({
    now: () => clock.now(),
    shared: needs.shared,
    mayAct: (account) => clients.of(account) !== undefined,
    onTrouble: (trouble) => {
      log.error({ ...trouble }, inWords(trouble));
      events.publish({ type: "outbox-stalled", data: trouble });
    },
    onSolved: (trouble) => {
      const { account, endpoint } = trouble;
      log.info({ account, endpoint }, `${endpoint} works again`);
      events.publish({ type: "outbox-resumed", data: trouble });
    },
    onSpent: () => spent.changed(),
  });
  const spent = await rememberSpent(gate, store, log);
  const concerns = ({ account }: Trouble): boolean =>
    account === undefined || clients.of(account) !== undefined;
  const stalled = () =>
    gate
      .troubles()
      .filter(concerns)
      .map((trouble) => ({ part: "outbox", reason: inWords(trouble) }));
  return { gate, stalled };
}

function withFix(reason: string, fix: string | undefined): string {
  return fix === undefined ? reason : `${reason}; fix: ${fix}`;
}

/** `@bot cannot send: 401 …; fix: …` */
function wordsFor(
  { account, endpoint, reason, fix }: Trouble,
  accountOf: AlarmNeeds["accountOf"],
): string {
  if (account === undefined) return `${endpoint} does not answer: ${withFix(reason, fix)}`;
  const username = accountOf(account)?.username ?? account;
  const mending = fix === TOKEN_IS_GONE ? loginCommand(username) : fix;
  return `@${username} cannot send: ${withFix(reason, mending)}`;
}
