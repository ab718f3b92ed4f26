import { AREAS } from "../../../src/sandbox/areas.ts";
import { ledgerOf } from "../../../src/sandbox/kernel/area.ts";
import { table } from "../markdown.ts";

/** Renders the table of the sandbox's areas, from its fidelity ledger. */
export function areasTable(): string {
  const rows = AREAS.map((area) => {
    const ledger = ledgerOf(area);
    const count = (fidelity: string): string =>
      String(ledger.filter((row) => row.fidelity === fidelity).length);
    const endpoints = ledger.filter((row) => "method" in row).length;
    const counts = [count("documented"), count("assumed"), count("stricter")];
    return [area.name, String(endpoints), ...counts];
  });
  return table(["Area of the sandbox", "Endpoints", "Documented", "Assumed", "Stricter"], rows, 1);
}
