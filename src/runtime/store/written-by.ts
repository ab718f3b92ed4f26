import { packageVersion } from "../../system/package-version.ts";
import { StoreError } from "./errors.ts";
import type { StoreStats } from "./listings.ts";
import type { Store } from "./store.ts";

/** Under this name the store has the version of Answerback that wrote it last. */
export const WRITTEN_BY = "written-by";

/** Versions of Answerback: the one that wrote the store last, and this one. */
export interface WriterChange {
  readonly from: string;
  readonly to: string;
}

/** Upgrade of an older store's tables. */
export interface StoreMigration {
  /** Schema version before. */
  readonly from: number;
  readonly to: number;
  /** File of the store as it was. Absent: the engine keeps no copy. */
  readonly copy?: string;
}

/**
 * Notes that this version of Answerback writes the store from now on.
 *
 * @returns The change of the version; undefined for a new store, and where the version is the same.
 */
export async function noteWriter(
  store: Pick<Store, "getMeta" | "setMeta">,
): Promise<WriterChange | undefined> {
  const to = packageVersion();
  const from = await store.getMeta(WRITTEN_BY);
  if (from === to) return undefined;
  await store.setMeta(WRITTEN_BY, to);
  return from === undefined ? undefined : { from, to };
}

/**
 * The error of a store with tables of a newer version.
 *
 * @param writer Version of Answerback that wrote it last; undefined where it is not known.
 * @param elsewhere What else to choose: `choose another folder`.
 */
export function newerSchema(
  { found, known }: { readonly found: number; readonly known: number },
  writer: string | undefined,
  elsewhere: string,
): StoreError {
  // a newer version that was killed right after it changed the tables has not noted itself yet
  const newer = writer === packageVersion() ? undefined : writer;
  const by = newer === undefined ? "a newer version of Answerback" : `Answerback ${newer}`;
  const needed = newer === undefined ? "the version that wrote it" : `Answerback ${newer}`;
  return new StoreError(
    "store-schema",
    `${by} wrote the store, with schema version ${found}; Answerback ${packageVersion()} reads up to ${known}`,
    { hint: `run ${needed} or newer, or ${elsewhere}` },
  );
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
