import { PlatformError } from "../../client/errors.ts";
import { shell } from "../../text/shell.ts";
import type { SubscribingClient, SubscriptionWay } from "./ways.ts";

/** Milliseconds between two checks of an account's tokens. */
const CHECKED_EVERY_MS = 5 * 60_000;
/** Limit of checks in one round, so that many accounts do not use up a rate limit. */
const MAX_CHECKS = 20;

interface Checked {
  readonly at: number;
  readonly works: boolean;
}

/**
 * Checks whether the tokens of subscribed accounts still have their permission level. The list of subscriptions is read
 * with the app's token, so it can't show a lost level.
 */
export class TokenCheck {
  readonly #way: SubscriptionWay;
  readonly #now: () => number;
  readonly #checked = new Map<string, Checked>();
  #left = MAX_CHECKS;

  constructor({ way, now }: { readonly way: SubscriptionWay; readonly now: () => number }) {
    this.#way = way;
    this.#now = now;
  }

  /** Begins a round, in which up to {@link MAX_CHECKS} accounts are checked. */
  begin(): void {
    this.#left = MAX_CHECKS;
  }

  forget(account: string): void {
    this.#checked.delete(account);
  }

  /**
   * Returns whether the account's tokens work. It checks them if the latest result is old and the round has checks
   * left; else it returns the latest result, or `true` before the first check.
   *
   * @param onLost Called with the error if the platform refuses the tokens.
   * @throws {UnreachableError} or another error of the client, if the platform does not answer.
   */
  async works(
    account: string,
    webhookId: string,
    client: SubscribingClient | undefined,
    onLost: (error: PlatformError) => void,
  ): Promise<boolean> {
    const latest = this.#checked.get(account);
    const isFresh = latest !== undefined && this.#now() - latest.at < CHECKED_EVERY_MS;
    if (this.#way.verify === undefined || client === undefined || isFresh || this.#left === 0) {
      return latest?.works ?? true;
    }
    this.#left -= 1;
    const note = (works: boolean): boolean => {
      this.#checked.set(account, { at: this.#now(), works });
      return works;
    };
    try {
      await this.#way.verify(client, { userId: account, webhookId });
      return note(true);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status >= 500) throw error;
      // Another refusal, such as a rate limit, does not concern the tokens.
      if (!isLost(error)) return note(latest?.works ?? true);
      onLost(error);
      return note(false);
    }
  }
}

function isLost({ status, problem, isFromProxy }: PlatformError): boolean {
  return (status === 401 && !isFromProxy) || problem === "oauth1-permissions";
}

/** Returns the operator's advice if a refusal shows that tokens lost their permission level; undefined otherwise. */
export function lostPermission(error: unknown, username: string): string | undefined {
  if (!(error instanceof PlatformError) || !isLost(error)) return undefined;
  const command = shell`answerback login --username ${username}`;
  if (error.status === 401) {
    return `the permission level changed, or the tokens were revoked: run \`${command}\``;
  }
  const level = error.refusal.accessLevel ?? "less than is needed";
  return (
    `the permission level changed: run \`${command}\`, with the app at the level for direct messages; ` +
    `the tokens have ${level}`
  );
}
