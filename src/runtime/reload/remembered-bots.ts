import * as z from "zod";
import type { LoadedBot } from "../../bots/messages.ts";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";

/** Bots as they were loaded last: what they listen to is known while their modules are loaded again. */
export interface RememberedBots {
  readonly before: readonly LoadedBot[];
  /** Notes the bots if they are others than before. */
  note(bots: readonly LoadedBot[]): void;
}

const BOTS = "bots";

const storedBots = z.array(
  z.object({
    name: z.string(),
    file: z.string(),
    triggers: z.array(z.enum(INBOUND_TRIGGERS)),
    maxAgeMs: z.union([z.number(), z.literal("none")]).exactOptional(),
  }),
);

/** Reads the bots that an earlier process has noted. A note that can't be read is as good as none. */
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
        .catch((error: unknown) => log.warn({ err: error }, "bots not noted"));
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
