import type { Route } from "./http/route.ts";
import type { BehaviourRow, LedgerRow } from "./ledger.ts";
import type { Sandbox } from "./sandbox.ts";
import type { AnyTable } from "./world/table.ts";

/** One folder of the platform. */
export interface Area {
  readonly name: string;
  readonly tables: readonly AnyTable[];
  readonly routes: readonly Route[];
  /** What the fidelity ledger says besides its rows about the routes. */
  readonly behaviours: readonly BehaviourRow[];
  /** Schedules due work from what the world holds: at start, after a reset and a restore. */
  readonly schedule?: (sandbox: Sandbox) => void;
}

/** The rows of an area in the fidelity ledger: one for each route, then its behaviours. */
export function ledgerOf({ routes, behaviours }: Area): LedgerRow[] {
  const endpoints = routes.map(({ method, path, ledger }) => ({ method, path, ...ledger }));
  return [...endpoints, ...behaviours];
}
