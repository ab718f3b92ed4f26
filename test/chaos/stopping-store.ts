import type { Store } from "../../src/runtime/store/store.ts";
import { delegating } from "../crash/planted.ts";

/** A store, and the wish that its process stands still where that does the most harm. */
export interface StoppingStore {
  readonly store: Store;
  /** The process is to stand still the next time that it has an item in hand and is about to mark it as under way. */
  ask(): void;
}

/** @param stop Has the process stand still, and returns when it goes on. */
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
