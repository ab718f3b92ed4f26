import type { ItemResult } from "../transition.ts";
import { moveItem } from "../machine/items.ts";
import type { MachinePort } from "../machine/port.ts";
import { applyTransition } from "../machine/transition.ts";
import type { ItemTransition } from "../item.ts";
import type { Operations } from "./calls.ts";
import type { Leases } from "./leases.ts";
import type { OutboxTable } from "./outbox.ts";
import type { KnownRun } from "./runs.ts";

/** Leases that fence transitions, and the tables that transitions change. */
interface TransitionParts {
  readonly leases: Leases;
  readonly outbox: Pick<OutboxTable, "find">;
  readonly machine: MachinePort<KnownRun>;
}

/** Commits transitions and changes of items, fenced by the leases of their worker. */
export class Transitions {
  readonly #parts: TransitionParts;

  constructor(parts: TransitionParts) {
    this.#parts = parts;
  }

  readonly commit: Operations["commit"] = (worker, transitions) => {
    const { leases, machine } = this.#parts;
    return transitions.map((one) =>
      leases.holds(worker, one) ? applyTransition(machine, one) : "fenced",
    );
  };

  readonly changeItems: Operations["changeItems"] = (worker, transitions) =>
    transitions.map((one) =>
      this.#parts.leases.holds(worker, one) ? this.#change(one) : "fenced",
    );

  #change(one: ItemTransition): ItemResult {
    const { leases, outbox, machine } = this.#parts;
    const item = outbox.find(one.id);
    if (item?.status !== one.from) return "already-done";
    if (leases.partitionOf(item.lane) !== one.partition) return "fenced";
    return moveItem(machine, item, one);
  }
}
