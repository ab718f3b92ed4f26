import { packageVersion } from "../../system/package-version.ts";
import { StoreError } from "./errors.ts";
import type { StoreStats } from "./listings.ts";
import type { Store } from "./store.ts";

/** Under this name the store has the version of Answerback that wrote it last. */
export const WRITTEN_BY = "written-by";

/** Notes that this version of Answerback writes the store from now on. */
export async function noteWriter(store: Pick<Store, "getMeta" | "setMeta">): Promise<void> {
  const version = packageVersion();
  if ((await store.getMeta(WRITTEN_BY)) !== version) await store.setMeta(WRITTEN_BY, version);
}

/** How much a store holds, and the version of Answerback that wrote it last. */
export async function writtenStats(
  store: Pick<Store, "getMeta" | "stats">,
): Promise<StoreStats & { readonly writtenBy?: string }> {
  const [stats, writtenBy] = [await store.stats(), await store.getMeta(WRITTEN_BY)];
  return { ...stats, ...(writtenBy !== undefined && { writtenBy }) };
}

/**
 * The error of a store whose tables are not those of the version that it names.
 *
 * @param writer Version of Answerback that wrote it last; undefined where it is not known.
 */
export function otherShape(version: number, writer: string | undefined): StoreError {
  const by =
    writer === undefined
      ? "an early version of Answerback"
      : `Answerback ${writer} or another program`;
  return new StoreError(
    "store-schema",
    version === 0
      ? "there are tables that no version of Answerback has made"
      : `its tables are not those of schema version ${version}, which it names: ${by} has made them`,
    {
      hint: "nothing was changed; open it with the version that wrote it, or bring back a backup with: answerback restore FILE",
    },
  );
}
