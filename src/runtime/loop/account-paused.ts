/** Thrown if work has to wait because its account is paused. It is no failure: the work is done after the pause. */
export class AccountPaused extends Error {
  override readonly name = "AccountPaused";

  constructor(account: string) {
    super(`account ${account} is paused; nothing was sent`);
  }
}
