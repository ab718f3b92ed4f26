import { createHash } from "node:crypto";
import { UsageError } from "../../errors.ts";
import type { Store } from "./store.ts";

/** Owner of a store: one world of the sandbox, or one app on a live platform. */
export type World =
  | { readonly target: "sandbox"; readonly worldId: string }
  | { readonly target: "live"; readonly baseUrl: string; readonly consumerKey: string };

/**
 * Binds a store to the world with which it is first used, because the ids of one world are invalid in another world.
 *
 * @throws {UsageError} if the store belongs to another world.
 */
export async function claimStore(
  store: Pick<Store, "getMeta" | "setMeta">,
  world: World,
): Promise<void> {
  const name = nameOf(world);
  const owner = await store.getMeta("world");
  if (owner === undefined) await store.setMeta("world", name);
  else if (owner !== name) {
    throw new UsageError(`this store belongs to ${owner}, not to ${name}`, {
      hint:
        world.target === "sandbox"
          ? "start with new data: answerback dev --fresh (the old data is moved aside), or name another folder with --data"
          : "name another folder with --data, or set store: to the one that belongs to this app",
    });
  }
}

function nameOf(world: World): string {
  if (world.target === "sandbox") return `sandbox world ${world.worldId}`;
  const app = createHash("sha256").update(world.consumerKey).digest("hex").slice(0, 12);
  return `app ${app} on ${world.baseUrl}`;
}
