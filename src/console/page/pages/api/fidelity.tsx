import type { LedgerRow } from "../../../../sandbox/control/objects.ts";
import { Chip } from "../../parts/chip.tsx";

/** An endpoint in the ledger. */
export type EndpointEntry = Extract<LedgerRow, { readonly path: string }>;

/** How well founded what the sandbox does is. */
export function Fidelity({ endpoint }: { endpoint: EndpointEntry }) {
  if (endpoint.fidelity === "documented") {
    return (
      <p>
        <Chip tone="good">documented</Chip> {endpoint.section}
        {endpoint.note !== undefined && `: ${endpoint.note}`}
      </p>
    );
  }
  return (
    <p>
      <Chip tone={endpoint.fidelity === "assumed" ? "info" : "warn"}>{endpoint.fidelity}</Chip>{" "}
      {endpoint.note}
    </p>
  );
}
