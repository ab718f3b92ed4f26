/** Why an item is unknown that another store may have sent. */
export const DOUBT = "it may have been sent before the store was brought back from a backup";
