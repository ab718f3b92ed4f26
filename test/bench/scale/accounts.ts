import type { LinkedAccount } from "../../../src/runtime/accounts/linked-account.ts";

/** The benchmark's first account; the other accounts have the following numbers. */
export const FIRST_ACCOUNT = 100;

/** Returns the first `count` accounts of the benchmark. */
export function accountsFor(count: number): readonly LinkedAccount[] {
  return Array.from({ length: count }, (_, n) => {
    const id = String(FIRST_ACCOUNT + n);
    return {
      id,
      username: n === 0 ? "hello_bot" : `hello_bot_${n}`,
      accessToken: `${id}-token`,
      accessTokenSecret: "token-secret",
      linkedAt: 1_760_000_000_000,
    };
  });
}
