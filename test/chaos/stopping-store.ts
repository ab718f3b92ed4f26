import type { Store } from "../../src/runtime/store/store.ts";
import { delegating } from "../crash/planted.ts";

/** A store whose process can be suspended at the most harmful moment. */
export interface StoppingStore {
  readonly store: Store;
  /** Requests that the process be suspended when it next is about to mark an item as under way. */
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
