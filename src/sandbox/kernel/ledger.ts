import type { Method } from "./http/method.ts";

/** Basis of a behaviour: documented by the platform, assumed from public material, or stricter than the platform. */
export type Fidelity =
  | { readonly fidelity: "documented"; readonly section: string; readonly note?: string }
  | { readonly fidelity: "assumed" | "stricter"; readonly note: string };

/** Row of the fidelity ledger (how closely the sandbox follows the live platform) about one endpoint. */
export type EndpointRow = Fidelity & { readonly method: Method; readonly path: string };

/** Row of the fidelity ledger about a behaviour that no single endpoint owns. */
export type BehaviourRow = Fidelity & { readonly behaviour: string };

/** A row of the fidelity ledger. */
export type LedgerRow = EndpointRow | BehaviourRow;

/** Marks behaviour that a section of the platform's documentation describes. */
export function documented(section: string, note?: string): Fidelity {
  return { fidelity: "documented", section, ...(note === undefined ? {} : { note }) };
}

/** Marks behaviour that public material about the live service suggests, or that the sandbox needs. */
export function assumed(note: string): Fidelity {
  return { fidelity: "assumed", note };
}

/** Marks requests that the sandbox refuses although the platform may allow them. */
export function stricter(note: string): Fidelity {
  return { fidelity: "stricter", note };
}

/** Fidelity of endpoints that are missing in the documentation, but not in the live service's API description. */
export const DESCRIBED = assumed(
  "Not in the documentation; follows the live service's API description.",
);
