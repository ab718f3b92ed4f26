import * as z from "zod";
import { CONVERSATION_SCOPES } from "../../events/conversation.ts";
import type { LoadedBot } from "../../bots/messages.ts";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import type { Log } from "../log.ts";
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

/** Reads the bots that an earlier process stored. A damaged record counts as no bots. */
export async function rememberedBots(
  store: Pick<Store, "getMeta" | "setMeta">,
  log: Log,
): Promise<RememberedBots> {
  let noted = (await store.getMeta(BOTS)) ?? "[]";
  return {
    before: read(noted),
    note(bots) {
      const text = JSON.stringify(bots);
      if (text === noted) return;
      noted = text;
      store
        .setMeta(BOTS, text)
        .catch((error: unknown) =>
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
