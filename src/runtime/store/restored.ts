/** Name under which a restored store keeps the time of its backup, in milliseconds. */
export const RESTORED_FROM = "restored-from";
/** Reason of an unknown item that another store may have sent. */
export const DOUBT =
  "it may have been sent already, by another copy of the store or before the store was brought back";
