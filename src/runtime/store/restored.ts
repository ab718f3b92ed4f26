/** Under this name a store that was brought back has when its backup was taken, in milliseconds. */
export const RESTORED_FROM = "restored-from";
/** Why an item is unknown that another store may have sent. */
export const DOUBT =
  "it may have been sent already, by another copy of the store or before the store was brought back";
