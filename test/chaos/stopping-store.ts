import type { Store } from "../../src/runtime/store/store.ts";
import { delegating } from "../crash/planted.ts";

/** A store that can suspend its process just before it marks an outbox item as under way (`sending`). */
export interface StoppingStore {
  readonly store: Store;
  /** Requests a suspension of the process the next time that it is about to set an item's status to `sending`. */
  ask(): void;
}

/** @param stop Suspends the process, and returns when it continues. */
export function stoppingStore(store: Store, stop: () => void): StoppingStore {
  let isAsked = false;
  return {
    store: {
      ...delegating(store),
      changeItems(...write) {
        const [, transitions] = write;
        if (isAsked && transitions.some(({ to }) => to === "sending")) {
          isAsked = false;
          stop();
        }
        return store.changeItems(...write);
      },
    },
    ask: () => (isAsked = true),
  };
}
