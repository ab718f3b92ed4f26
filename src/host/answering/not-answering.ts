import type { Answering } from "../answer.ts";
import { byHand } from "../../runtime/outbox/by-hand.ts";
import { changeItem } from "../../runtime/outbox/change-item.ts";
import { heldByHand } from "../../runtime/outbox/held-by-hand.ts";
import type { BotParts, HostProcess } from "../parts.ts";
import type { AnsweringNeeds } from "./ground.ts";
import { personNames } from "./held-alarm.ts";
import { eventReader } from "../../runtime/runs/entry-event.ts";

export interface NotAnsweringNeeds
  extends
    Pick<BotParts, "store" | "clock" | "events" | "log">,
    Required<Pick<AnsweringNeeds, "elsewhere">> {
  readonly process: Pick<HostProcess, "name">;
}

/**
 * Stands in for deciding and sending in a process with the role `receiver`, which does neither. An operator's change of
 * an item is written with the lease of the process that works on the item.
 */
export function notAnswering(needs: NotAnsweringNeeds): Answering {
  const { store, clock, events, elsewhere, process } = needs;
  const { name } = process;
  const log = needs.log.child({ stage: "outbox" });
  const change = changeItem({ name, store, clock, log, events });
  // The process that works on the item polls the store and finds the change within a second.
  const wake = (): void => {};
  const leases = { held: () => [], whenValid: async () => [] };
  const common = { store, change, clock, holders: elsewhere, leases, wake };
  return {
    bots: { bots: [], faults: [], loading: [], isWaitedFor: () => false, trouble: () => undefined },
    inForce: { reload: async () => ({ count: 0, kept: [], problems: [] }) },
    leases: { ...leases, onTaken: () => () => {}, onLost: () => () => {} },
    items: byHand(common),
    held: heldByHand(common),
    usernameOf: personNames(store, eventReader()),
    stalled: () => [],
    gate: { budgets: () => [], circuits: () => [] },
    arrived() {},
    async rulesChanged() {},
    erasing: (_person, erase) => erase(),
    status: () => ({ partitions: 0, inputs: 0, effects: 0, sending: 0, passedOver: 0 }),
  };
}
