import type { Method } from "./http/method.ts";

/** How well founded a behaviour is: documented by the interface, assumed from public material, or stricter. */
export type Fidelity =
  | { readonly fidelity: "documented"; readonly section: string; readonly note?: string }
  | { readonly fidelity: "assumed" | "stricter"; readonly note: string };

/** A row of the fidelity ledger about one endpoint. Made from its route. */
export type EndpointRow = Fidelity & { readonly method: Method; readonly path: string };

/** A row of the fidelity ledger about a behaviour that no single endpoint owns. */
export type BehaviourRow = Fidelity & { readonly behaviour: string };

/** A row of the fidelity ledger. */
export type LedgerRow = EndpointRow | BehaviourRow;

/** As a section of the interface describes it. */
export function documented(section: string, note?: string): Fidelity {
  return { fidelity: "documented", section, ...(note === undefined ? {} : { note }) };
}

/** As public material about the live service suggests, or as the sandbox needs it. */
export function assumed(note: string): Fidelity {
  return { fidelity: "assumed", note };
}

/** Refused by the sandbox though the interface may allow it. */
export function stricter(note: string): Fidelity {
  return { fidelity: "stricter", note };
}

/** Endpoints that only the live service describes. */
export const DESCRIBED = assumed(
  "Not among the interface's endpoints; follows the live service's description.",
);
