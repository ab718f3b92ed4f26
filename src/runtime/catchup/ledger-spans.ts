import type { CoveragePort, CoverageSpan, CoverageState } from "../store/coverage.ts";

/** End time of a stretch that continues at present, such as the time since an account was unlinked. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** Returns the filter for a query of coverage: the account if there is only one, else none (filter the result). */
export function onlyOf(accounts: readonly string[] = []): { readonly account?: string } {
  const [account] = accounts;
  return account === undefined || accounts.length > 1 ? {} : { account };
}

/** Reads the coverage of these accounts (by default of all accounts), in the order of time. */
export async function spansByAccount(
  store: Pick<CoveragePort, "coverage">,
  accounts?: readonly string[],
): Promise<ReadonlyMap<string, readonly CoverageSpan[]>> {
  const byAccount = new Map<string, CoverageSpan[]>();
  const wanted = accounts && new Set(accounts);
  for (const span of await store.coverage(onlyOf(accounts))) {
    if (wanted?.has(span.account) === false) continue;
    const spans = byAccount.get(span.account);
    if (spans === undefined) byAccount.set(span.account, [span]);
    else spans.push(span);
  }
  return byAccount;
}

/** Whether a stretch has coverage, but no replay has proven that all of its deliveries arrived. */
export function isUnproven(state: CoverageState): boolean {
  return state === "unproven" || state === "compared";
}
