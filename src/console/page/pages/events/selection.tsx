import type { ShownExchange } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import type { DeliveryRow } from "./rows.ts";

interface SelectionProps {
  /** Selected deliveries, newest first. */
  readonly rows: readonly DeliveryRow[];
  readonly mayChange: boolean;
}

/** Buttons that act on the selected deliveries. */
export function Selection({ rows, mayChange }: SelectionProps) {
  const newest = rows.flatMap(({ attempts }) => attempts.slice(-1).map(({ seq }) => seq));
  const button = (label: string, deliveries: readonly number[], times = 1) => (
    <button
      type="button"
      disabled={!mayChange}
      onClick={() =>
        void notify(
          sandbox.post<{ queued: number }>("/deliveries", { deliveries, times }),
          ({ queued }) => `On their way: ${queued}.`,
        )
      }
    >
      {label}
    </button>
  );
  return (
    <div class="row events-picked" role="group" aria-label="Actions on the selected deliveries">
      <strong>{rows.length} selected</strong>
      {button("Deliver again", newest.toReversed())}
      {button("Deliver twice", newest.toReversed(), 2)}
      {button("Deliver in reverse order", newest)}
      <CopyButton
        label="Copy as a fixture"
        text={async () =>
          `[${(await Promise.all(rows.toReversed().map(bodyOf))).filter(Boolean).join(",\n")}]`
        }
      />
    </div>
  );
}

/**
 * Returns the body of a delivery. A fault may have emptied the body of an attempt, so the first attempt with a body is
 * used.
 */
async function bodyOf({ attempts }: DeliveryRow): Promise<string> {
  for (const { exchange } of attempts) {
    const { request } = await sandbox.get<ShownExchange>(`/exchanges/${exchange}`);
    if (request.body !== "") return request.body;
  }
  return "";
}
