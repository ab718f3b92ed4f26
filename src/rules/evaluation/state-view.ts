import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import { typeOfConstant } from "../expression/value-types/constant-type.ts";
import { keyOf, type StateOwner, type StateUse } from "../schema/state-keys.ts";
import { celData, celOfType, type View } from "../expression/view.ts";

/** Reads a value of user state by its key; `undefined` if there is none. */
export type ReadState = (key: string) => Json | undefined;

/** Returns the value of `use` for an event, as rules read it; `undefined` if there is none. */
export function stateOf(use: StateUse, event: AccountEvent, read: ReadState): Json | undefined {
  const value = read(keyOf(use, event));
  switch (use.kind) {
    case "value":
      return value === undefined ? use.default : value;
    case "count":
      return value;
    case "labels":
      return Array.isArray(value) ? value : [];
    case "met":
      return value === undefined || value === event.key;
  }
}

/** Returns `view` with the values of `uses`, such as `state.sender.NAME` and `sender.labels`. */
export function withState(
  view: View,
  uses: readonly StateUse[],
  event: AccountEvent,
  read: ReadState,
): Record<string, unknown> {
  const added: Record<string, unknown> = Object.assign(Object.create(null), view);
  if (uses.length === 0) return added;
  const state = stateByOwner();
  const ofSender: Record<string, unknown> = Object.create(null);
  for (const use of uses) {
    const value = stateOf(use, event, read);
    if (use.kind === "labels") ofSender["labels"] = celData(value);
    else if (use.kind === "met") ofSender["is_new"] = value;
    else if (use.kind === "value" && value !== undefined)
      state[use.of].set(use.name, celOfUse(value, use));
  }
  const isAdded = Object.keys(ofSender).length > 0 || view["sender"] === undefined;
  const sender = isAdded
    ? Object.assign(Object.create(null), view["sender"], ofSender)
    : view["sender"];
  return Object.assign(added, { state, sender });
}

function stateByOwner(): Record<StateOwner, Map<string, unknown>> {
  const none = { sender: new Map(), conversation: new Map(), account: new Map() };
  return Object.assign(Object.create(null), none);
}

/** Converts a stored value for expressions, by the type of the default that the rule file declares for it. */
export function celOfUse(value: Json, use: StateUse): unknown {
  const isDeclared = use.kind === "value" && use.default !== undefined;
  return celOfType(value, isDeclared ? typeOfConstant(use.default) : "dyn");
}

/** Removes repeated entries from a list of read state values. */
export function uniqueUses(uses: readonly StateUse[]): readonly StateUse[] {
  return [...new Map(uses.map((use) => [JSON.stringify(use), use])).values()];
}
