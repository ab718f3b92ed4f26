import { AnswerbackError } from "../../errors.ts";
import { storesClass } from "../../system/stored-classes.ts";

/**
 * Reason why a store can't be opened, or a call to it failed.
 *
 * - `store-url`: the setting names no store that this version supports.
 * - `store-locked`: another runtime holds the files.
 * - `store-schema`: a newer version of this toolkit wrote the files, or the tables don't match the schema version that
 *   the files state.
 * - `store-old`: an older version wrote the files, or no bot has started with them. A start of the bot migrates them.
 * - `store-full`: the disk is full, or the configured limit is reached.
 * - `store-io`: the disk failed, or it may not be written to.
 * - `store-corrupt`: the files are damaged, or they are not a store.
 * - `store-gone`: there was a store here, but some or all of its files are missing.
 * - `store-moved`: the store was moved to another place.
 * - `store-died`: the worker thread that holds the files ended unexpectedly; restart the process.
 * - `store-data`: a value can't be stored, or a copied store differs from the original.
 * - `store-closed`: the store was called after `close`.
 */
export type StoreErrorCode =
  | "store-url"
  | "store-locked"
  | "store-schema"
  | "store-old"
  | "store-full"
  | "store-io"
  | "store-corrupt"
  | "store-gone"
  | "store-moved"
  | "store-died"
  | "store-data"
  | "store-closed";

/** Failure of a call to the store. The call stored nothing, unless the code is `store-io`. */
export class StoreError extends AnswerbackError {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(
    code: StoreErrorCode,
    message: string,
    options?: ErrorOptions & { readonly hint?: string | undefined },
  ) {
    super(message, options);
    this.code = code;
  }

  /** Whether the same call may be retried unchanged: after a full disk, a failed write or a held lock. */
  get retryable(): boolean {
    return ["store-locked", "store-full", "store-io"].includes(this.code);
  }
}

storesClass("StoreError", StoreError);
