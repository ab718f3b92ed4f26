import * as z from "zod";
import { CONVERSATION_SCOPES } from "../../events/conversation.ts";
import type { LoadedBot } from "../../bots/messages.ts";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import type { Log } from "../log.ts";
import { repeatedWhileStoreFails } from "../loop/while-store-fails.ts";
import type { Store } from "../store/store.ts";

/** Bots as an earlier process loaded them, whose triggers are needed while the modules are still loading. */
export interface RememberedBots {
  readonly before: readonly LoadedBot[];
  /** Stores the bots if they have changed. */
  note(bots: readonly LoadedBot[]): void;
}

const BOTS = "bots";

const storedBots = z.array(
  z.object({
    name: z.string(),
    file: z.string(),
    triggers: z.array(z.enum(INBOUND_TRIGGERS)),
    maxAgeMs: z.union([z.number(), z.literal("none")]).exactOptional(),
    scope: z.enum(CONVERSATION_SCOPES).exactOptional(),
  }),
);

/**
 * Reads the bots that an earlier process stored. A damaged record counts as no bots.
 *
 * @param stopping Once aborted, bots that the store did not take are not stored again.
 */
export async function rememberedBots(
  store: Pick<Store, "getMeta" | "setMeta">,
  log: Log,
  stopping: AbortSignal,
): Promise<RememberedBots> {
  let noted = (await store.getMeta(BOTS)) ?? "[]";
  return {
    before: read(noted),
    note(bots) {
      const text = JSON.stringify(bots);
      if (text === noted) return;
      noted = text;
      const write = async (): Promise<void> => {
        // A later list replaces a list that the store has not taken yet.
        if (text === noted) await store.setMeta(BOTS, text);
      };
      repeatedWhileStoreFails(write, stopping).catch((error: unknown) =>
        log.warn({ err: error }, "the list of loaded bots could not be stored"),
      );
    },
  };
}

function read(text: string): readonly LoadedBot[] {
  try {
    return storedBots.safeParse(JSON.parse(text)).data ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
