import { delegating, planted } from "../crash/planted.ts";
import type { Store } from "../../src/runtime/store/store.ts";

/** Bugs that a run inserts between the runtime and its store, to show that its checks detect each of them. */
export const CONTROLS = {
  "no-fence":
    "who has lost a lease does not notice, and what the store refuses it is taken for kept",
  "send-before-marking": "an item is marked as under way only when its request is over",
} as const;

export type ControlName = keyof typeof CONTROLS;

/** Environment variable that names the planted bug for a process. */
export const CONTROL_VARIABLE = "CHAOS_CONTROL";

/** Whether a text is the name of a planted bug. */
export function isControl(name: string): name is ControlName {
  return Object.hasOwn(CONTROLS, name);
}

/** Returns a store with the planted bug. */
export function controlled(store: Store, control: ControlName): Store {
  return control === "send-before-marking"
    ? planted(store, "marks-after-sending")
    : withoutFence(store);
}

const FOR_EVER_MS = 86_400_000;

function withoutFence(store: Store): Store {
  const unfenced = <Result>(results: readonly Result[]) =>
    results.map((result) => (result === "fenced" ? "committed" : result));
  return {
    ...delegating(store),
    async lease(worker, ttlMs) {
      const leases = await store.lease(worker, ttlMs);
      return leases.map((lease) => ({ ...lease, until: lease.until + FOR_EVER_MS }));
    },
    commit: async (...write) => unfenced(await store.commit(...write)),
    changeItems: async (...write) => unfenced(await store.changeItems(...write)),
  };
}
