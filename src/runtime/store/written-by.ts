import { packageVersion } from "../../system/package-version.ts";
import { StoreError } from "./errors.ts";
import type { StoreStats } from "./listings.ts";
import type { Store } from "./store.ts";

/** Name of the value in `meta` with the version of Answerback that wrote the store last. */
export const WRITTEN_BY = "written-by";

/** Version of Answerback that wrote the store last, and the version that is running now. */
export interface WriterChange {
  readonly from: string;
  readonly to: string;
}

/** Upgrade of an older store's tables. */
export interface StoreMigration {
  /** Schema version before the upgrade. */
  readonly from: number;
  readonly to: number;
  /** Path of an unchanged copy of the store before the upgrade. Absent for PostgreSQL, where no copy is made. */
  readonly copy?: string;
}

/**
 * Records this version of Answerback as the last writer of the store.
 *
 * @returns The change of the version; undefined for a new store, or if the version is the same.
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
 * Error for a store with tables of a newer version.
 *
 * @param writer Version of Answerback that wrote the store last; undefined if it is unknown.
 * @param elsewhere Second suggestion for the hint, such as `choose another folder`.
 */
export function newerSchema(
  { stored, ours }: { readonly stored: number; readonly ours: number },
  writer: string | undefined,
  elsewhere: string,
): StoreError {
  // A newer version that was killed right after it migrated the tables has not stored its version yet.
  const newer = writer === packageVersion() ? undefined : writer;
  const by = newer === undefined ? "a newer version of Answerback" : `Answerback ${newer}`;
  const needed = newer === undefined ? "the version that wrote it" : `Answerback ${newer}`;
  return new StoreError(
    "store-schema",
    `${by} wrote the store, with schema version ${stored}; Answerback ${packageVersion()} reads up to ${ours}`,
    { hint: `run ${needed} or newer, or ${elsewhere}` },
  );
}

/**
 * Error for a store that only the start of a bot can bring to the current schema version.
 *
 * @param stored Schema version of the tables; 0 if there are none.
 * @param use Use that needs the current version, such as `it can be read`.
 */
export function olderSchema(
  { stored, ours }: { readonly stored: number; readonly ours: number },
  use: string,
): StoreError {
  return new StoreError(
    "store-old",
    stored === 0
      ? "the store has no tables, because no bot has started with it"
      : `the store has schema version ${stored}, and must be migrated to ${ours} before ${use}`,
    { hint: "start the bot once: answerback run" },
  );
}

/** Returns the store's statistics, with the version of Answerback that wrote the store last. */
export async function writtenStats(
  store: Pick<Store, "getMeta" | "stats">,
): Promise<StoreStats & { readonly writtenBy?: string }> {
  const [stats, writtenBy] = [await store.stats(), await store.getMeta(WRITTEN_BY)];
  return { ...stats, ...(writtenBy !== undefined && { writtenBy }) };
}

/**
 * Error for a store whose tables don't match the schema version that the store states.
 *
 * @param version Schema version that the store states.
 * @param writer Version of Answerback that wrote the store last; undefined if it is unknown.
 */
export function otherShape(version: number, writer: string | undefined): StoreError {
  const by =
    writer === undefined
      ? "an early version of Answerback"
      : `Answerback ${writer} or another program`;
  return new StoreError(
    "store-schema",
    version === 0
      ? "the file has tables that no version of Answerback has created"
      : `its tables do not match the schema version ${version} that it states; ${by} created them`,
    {
      hint: "nothing was changed; open it with the version that wrote it, or bring back a backup with: answerback restore FILE",
    },
  );
}
