import * as z from "zod";
import type { Log } from "../../log.ts";
import type { AdminPort } from "../../store/store.ts";
import type { Gate } from "./gate.ts";

const NAME = "spent-limits";

const spentLimits = z.array(
  z.object({
    place: z.string(),
    left: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.number() }),
  }),
);

/** Writes down which limits are used up, so that the next process does not run into them. */
export interface SpentLimits {
  /** They may have changed. */
  changed(): void;
}

/** Tells `gate` what an earlier process had used up, and writes down what this one uses up. */
export async function rememberSpent(
  gate: Pick<Gate, "spent" | "remember">,
  store: Pick<AdminPort, "getMeta" | "setMeta">,
  log: Log,
): Promise<SpentLimits> {
  let saved = (await store.getMeta(NAME)) ?? "[]";
  gate.remember(spentLimits.parse(JSON.parse(saved)));
  let saving = Promise.resolve();
  return {
    changed() {
      const text = JSON.stringify(gate.spent());
      if (text === saved) return;
      saved = text;
      saving = saving
        .then(() => store.setMeta(NAME, text))
        // It costs a refusal after the next start, no more.
        .catch((error: unknown) => log.warn({ err: error }, "used-up limits not written down"));
    },
  };
}
