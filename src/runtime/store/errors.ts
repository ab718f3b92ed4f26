import { AnswerbackError } from "../../errors.ts";

/**
 * `store-url`: the setting names no store that this version keeps.
 * `store-locked`: another runtime holds the files.
 * `store-schema`: a newer version of this toolkit wrote them, or their tables are not those of the version that they name.
 * `store-full`: no room on the disk, or the set limit is reached.
 * `store-io`: the disk failed, or may not be written to.
 * `store-corrupt`: the files are damaged, or are no store.
 * `store-gone`: a store was here, and its files are not, or not all of them.
 * `store-moved`: it has gone on elsewhere.
 * `store-died`: what holds the files ended by itself; the process has to be started again.
 * `store-data`: a value that no store can keep.
 * `store-closed`: called after `close`.
 */
export type StoreErrorCode =
  | "store-url"
  | "store-locked"
  | "store-schema"
  | "store-full"
  | "store-io"
  | "store-corrupt"
  | "store-gone"
  | "store-moved"
  | "store-died"
  | "store-data"
  | "store-closed";

/** The store could not do what it was asked; nothing of that call was kept, unless the code is `store-io`. */
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

  /** After a full disk, a failed write or a held lock the same call may be repeated as it is. */
  get retryable(): boolean {
    return ["store-locked", "store-full", "store-io"].includes(this.code);
  }
}
