import { AnswerbackError } from "../../errors.ts";

/**
 * `E_STORE_URL`: the setting names no store that this version keeps.
 * `E_STORE_LOCKED`: another runtime holds the files.
 * `E_STORE_SCHEMA`: a newer version of this toolkit wrote them.
 * `E_STORE_FULL`: no room on the disk, or the set limit is reached.
 * `E_STORE_IO`: the disk failed, or the files are no store.
 * `E_STORE_DATA`: a value that no store can keep.
 * `E_STORE_CLOSED`: called after `close`.
 */
export type StoreErrorCode =
  | "E_STORE_URL"
  | "E_STORE_LOCKED"
  | "E_STORE_SCHEMA"
  | "E_STORE_FULL"
  | "E_STORE_IO"
  | "E_STORE_DATA"
  | "E_STORE_CLOSED";

/** The store could not do what it was asked; nothing of that call was kept, unless the code is `E_STORE_IO`. */
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
    return ["E_STORE_LOCKED", "E_STORE_FULL", "E_STORE_IO"].includes(this.code);
  }
}
