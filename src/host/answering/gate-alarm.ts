import { TOKEN_IS_GONE, TOKENS_REFUSED } from "../../client/http/problem.ts";
import { loginCommand } from "../../runtime/accounts/account-alarm.ts";
import { type Trouble, Gate } from "../../runtime/outbox/gate/gate.ts";
import type { SharedBudgets } from "../../runtime/outbox/gate/shared-budgets.ts";
import { openSpentLimits } from "../../runtime/outbox/gate/spent-limits.ts";
import type { ServedAccounts } from "../../runtime/accounts/served-accounts.ts";
import type { Missing } from "../../runtime/readiness.ts";
import type { Ground } from "./ground.ts";

/** Parts of a bot that {@link alarmedGate} needs. */
export interface AlarmNeeds extends Pick<Ground, "clock" | "log" | "events" | "clients" | "store"> {
  readonly accounts: Pick<ServedAccounts, "find">;
  /** Rate limits of the platform that other processes use, too. Absent: there is no other process. */
  readonly shared?: SharedBudgets | undefined;
}

/** Gate (rate limits and circuit breakers) for all requests of the outbox, and its current reasons to hold requests. */
export interface AlarmedGate {
  readonly gate: Gate;
  readonly stalled: () => readonly Missing[];
}

/**
 * Opens the gate. Logs and publishes each reason for holding requests back when it begins and when it ends. Refusals of
 * an account end when the account is linked, revoked or removed.
 */
export async function alarmedGate(needs: AlarmNeeds): Promise<AlarmedGate> {
  const { clock, log, events, clients, store, accounts } = needs;
  const inWords = (trouble: Trouble): string => wordsFor(trouble, accounts);
  const spent = await openSpentLimits(store, log);
  const gate = new Gate({
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
    onSpent: spent.save,
  });
  gate.remember(spent.before);
  // If no answer waits, no request would show that the account's new tokens work.
  const forget = ({ data: { id } }: { readonly data: { readonly id: string } }): void => {
    for (const trouble of gate.forgetRefusals(id)) {
      const { account, endpoint } = trouble;
      log.info(
        { account, endpoint },
        `the refusal of ${endpoint} is over: the account has changed`,
      );
      events.publish({ type: "outbox-resumed", data: trouble });
    }
  };
  events.on("account-linked", forget);
  events.on("account-revoked", forget);
  events.on("account-removed", forget);
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

/** Formats the reason, such as `@bot cannot send: 401 …; fix: …`. */
function wordsFor(
  { account, endpoint, reason, fix }: Trouble,
  accounts: AlarmNeeds["accounts"],
): string {
  if (account === undefined) return `${endpoint} does not answer: ${withFix(reason, fix)}`;
  const username = accounts.find(account)?.username ?? account;
  const mending = mendingOf(fix, loginCommand(username));
  return `@${username} cannot send: ${withFix(reason, mending)}`;
}

/**
 * Returns the fix for the operator. If the platform refuses tokens that worked before, it is to link the account again.
 */
function mendingOf(fix: string | undefined, command: string): string | undefined {
  if (fix === TOKEN_IS_GONE) return command;
  if (fix !== TOKENS_REFUSED) return fix;
  return `the permission level changed, or the tokens were revoked: run \`${command}\``;
}
