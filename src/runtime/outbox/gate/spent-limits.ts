import * as z from "zod";
import type { Log } from "../../log.ts";
import type { AdminPort } from "../../store/store.ts";
import type { SpentLimit } from "./gate.ts";

const NAME = "spent-limits";

const spentLimits = z.array(
  z.object({
    place: z.string(),
    left: z.object({ limit: z.number(), remaining: z.number(), resetAt: z.number() }),
  }),
);

/** Store of used-up rate limits: after a restart, the next process sends no requests that would exceed them. */
export interface SpentLimits {
  /** Limits that an earlier process had used up. */
  readonly before: readonly SpentLimit[];
  /** Stores the limits that are used up now. */
  readonly save: (spent: readonly SpentLimit[]) => void;
}

/** Reads the limits that an earlier process had used up. */
export async function openSpentLimits(
  store: Pick<AdminPort, "getMeta" | "setMeta">,
  log: Log,
): Promise<SpentLimits> {
  let saved = (await store.getMeta(NAME)) ?? "[]";
  let saving = Promise.resolve();
  return {
    before: spentLimits.parse(JSON.parse(saved)),
    save(spent) {
      const text = JSON.stringify(spent);
      if (text === saved) return;
      saved = text;
      saving = saving
        .then(() => store.setMeta(NAME, text))
        // A failed write only costs one refusal after the next start.
        .catch((error: unknown) =>
          log.warn({ err: error }, "used-up rate limits could not be stored"),
        );
    },
  };
}
