import type { CoveragePort, CoverageSpan, CoverageState } from "../store/coverage.ts";

/** End of a stretch that has not ended yet. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** Returns the filter of a query for these accounts: the account's id if there is only one, and no filter otherwise. */
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

/** Whether nothing proves that all deliveries of a stretch arrived. */
export function isUnproven(state: CoverageState): boolean {
  return state === "unproven" || state === "compared";
}
