import type { LimitedRoute, RouteLimits } from "./http/rate-limiter.ts";
import type { BehaviourRow, Fidelity, LedgerRow } from "./ledger.ts";
import type { Sandbox } from "./sandbox.ts";
import type { AnyTable } from "./world/table.ts";

/** Properties of a route that the kernel reads. The server's `Route` adds all other properties. */
export interface RouteFacts extends Omit<LimitedRoute, "limits"> {
  readonly limits?: RouteLimits;
  /** Entry in the fidelity ledger: `documented(section)`, `assumed(note)` or `stricter(note)`. */
  readonly ledger: Fidelity;
}

/** Tables, routes, ledger entries and scheduled work of an area: a folder that serves one part of the platform. */
export interface AreaOf<AreaRoute extends RouteFacts = RouteFacts> {
  readonly name: string;
  readonly tables: readonly AnyTable[];
  readonly routes: readonly AreaRoute[];
  /** Entries of the fidelity ledger about behaviours that no single route owns. */
  readonly behaviours: readonly BehaviourRow[];
  /** Schedules pending work from the stored rows. Called at the start, after a reset and after a restore. */
  readonly schedule?: (sandbox: Sandbox) => void;
}

/** Returns the fidelity ledger's entries for an area: first the entries of its routes, then of other behaviours. */
export function ledgerOf({ routes, behaviours }: AreaOf): LedgerRow[] {
  const endpoints = routes.map(({ method, path, ledger }) => ({ method, path, ...ledger }));
  return [...endpoints, ...behaviours];
}
