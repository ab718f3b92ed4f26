/** How many bytes may be in memory at once, over all requests. */
export interface ByteBudget {
  /** A reservation of nothing yet. */
  reserve(): ByteReservation;
}

/** One request's part of the budget. */
export interface ByteReservation {
  /** Asks for `bytes` more. `false`: there is no room. */
  readonly grow: (bytes: number) => boolean;
  readonly bytes: () => number;
  /** Gives all of it back. May be called again. */
  readonly release: () => void;
}

/** A budget that nobody has taken from. */
export function byteBudget(maxBytes: number): ByteBudget {
  let reserved = 0;
  return {
    reserve() {
      let own = 0;
      return {
        grow(bytes) {
          if (reserved + bytes > maxBytes) return false;
          reserved += bytes;
          own += bytes;
          return true;
        },
        bytes: () => own,
        release() {
          reserved -= own;
          own = 0;
        },
      };
    },
  };
}
