import type { LimitedRoute, RouteLimits } from "./http/rate-limiter.ts";
import type { BehaviourRow, Fidelity, LedgerRow } from "./ledger.ts";
import type { Sandbox } from "./sandbox.ts";
import type { AnyTable } from "./world/table.ts";

/** Properties of a route that the kernel folder reads. The server's type `Route` adds all others. */
export interface RouteFacts extends Omit<LimitedRoute, "limits"> {
  readonly limits?: RouteLimits;
  /** How the route's behaviour is justified: `documented(section)`, `assumed(note)` or `stricter(note)`. */
  readonly ledger: Fidelity;
}

/** Tables, routes, fidelity notes and timers of an area: a folder that serves one part of the platform. */
export interface AreaOf<AreaRoute extends RouteFacts = RouteFacts> {
  readonly name: string;
  readonly tables: readonly AnyTable[];
  readonly routes: readonly AreaRoute[];
  /** Fidelity notes (documented, assumed or stricter) about behaviours that no single route owns. */
  readonly behaviours: readonly BehaviourRow[];
  /** Schedules the work that stored rows require, such as deliveries: at the start, after a reset and a restore. */
  readonly schedule?: (sandbox: Sandbox) => void;
}

/** Returns an area's part of the fidelity ledger: how closely each behaviour follows the live platform. */
export function ledgerOf({ routes, behaviours }: AreaOf): LedgerRow[] {
  const endpoints = routes.map(({ method, path, ledger }) => ({ method, path, ...ledger }));
  return [...endpoints, ...behaviours];
}
