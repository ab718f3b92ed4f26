/** Name of the value in `meta` with the time of the restored backup, in milliseconds since the epoch. */
export const RESTORED_FROM = "restored-from";
/** Reason of the status `unknown`, for an item that another copy of the store may have sent. */
export const DOUBT =
  "it may have been sent already, by another copy of the store or before the store was brought back";
