/** How many bytes are in memory at once, over all requests. */
export interface Held {
  share(): Share;
}

/** One request's part of them. */
export interface Share {
  /** Asks for `bytes` more. `false`: there is no room. */
  readonly take: (bytes: number) => boolean;
  readonly bytes: () => number;
  /** May be called again. */
  readonly giveBack: () => void;
}

export function holding(maxBytes: number): Held {
  let all = 0;
  return {
    share() {
      let own = 0;
      return {
        take(bytes) {
          if (all + bytes > maxBytes) return false;
          all += bytes;
          own += bytes;
          return true;
        },
        bytes: () => own,
        giveBack() {
          all -= own;
          own = 0;
        },
      };
    },
  };
}
