import type { CallableEndpoint } from "../../../operations/endpoints.ts";
import { Chip } from "../../parts/chip.tsx";

/** How well founded what the sandbox does is. */
export function Fidelity({ endpoint }: { endpoint: CallableEndpoint }) {
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
