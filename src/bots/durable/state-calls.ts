import type { Json } from "../../protocol/json.ts";
import type { BotState, SetOptions } from "./durable-calls.ts";
import { lifetimeOf } from "./given-duration.ts";
import { plainValue } from "./plain-value.ts";
import type { Recorder } from "./recorder.ts";
import type { StateName } from "./record.ts";
import { nameOfState, type StateKey } from "./state-key.ts";

/**
 * Maximum characters of a value as JSON, as for the step `set` of rules. Stored values are read for each event.
 */
export const MAX_STATE_CHARACTERS = 16_384;

type Value = Json | undefined;

/** Creates the methods for the stored values of `of`, such as the sender. Checks arguments: bots may be untyped. */
export function stateOf(of: StateName["of"], recorder: Recorder): BotState {
  const keep = (name: string, value: Value, options?: SetOptions): Promise<void> => {
    const forMs = options?.for === undefined ? undefined : lifetimeOf(options.for, "for");
    return recorder.set({
      of,
      name,
      ...(value !== undefined && { value }),
      ...(forMs !== undefined && { forMs }),
    });
  };

  /** Latest update of each value. */
  const lastUpdates = new Map<string, Promise<unknown>>();

  function get<V>(key: StateKey<V>): Promise<V>;
  function get(name: string): Promise<Value>;
  async function get(key: StateKey<unknown> | string): Promise<unknown> {
    const { name, initial } = keyOf(key);
    // The handler gets a copy, because it may change the value in place: the record needs the value that was read, and
    // all handlers share the initial value.
    return structuredClone((await recorder.get({ of, name })) ?? initial);
  }

  function update<V>(key: StateKey<V>, change: (before: V) => V, options?: SetOptions): Promise<V>;
  function update(
    name: string,
    change: (before: Value) => Value,
    options?: SetOptions,
  ): Promise<Value>;
  async function update(
    stateKey: StateKey<unknown> | string,
    change: (before: never) => unknown,
    options?: SetOptions,
  ): Promise<unknown> {
    if (typeof change !== "function") {
      throw new TypeError("ctx.state.update takes a name and a function of the value before");
    }
    const key = keyOf(stateKey);
    const before = lastUpdates.get(key.name);
    const updated = updateAfter(before, key, change, options);
    lastUpdates.set(key.name, updated);
    return updated;
  }

  /** Updates a value when the update `before` has ended. Both would else compute from the same value. */
  async function updateAfter(
    before: Promise<unknown> | undefined,
    key: StateKey<unknown>,
    change: (before: never) => unknown,
    options?: SetOptions,
  ): Promise<unknown> {
    await before?.catch(() => {});
    // with a StateKey, the value has the type of `change`'s parameter; with a name, it may have any type
    const after = change((await get(key)) as never);
    if (after instanceof Promise) {
      throw new TypeError(
        `the change of "${key.name}" can't wait: do that before ctx.state.update, in a ctx.step`,
      );
    }
    if (after === null && key.initial !== null) {
      throw new TypeError(
        `the change of "${key.name}" returned null, which can't be stored: return undefined to delete the value`,
      );
    }
    await keep(key.name, plainOf(key.name, after), options);
    return after;
  }

  return {
    get,
    update,
    async set(key: StateKey<unknown> | string, newValue: unknown, options?: SetOptions) {
      const { name } = keyOf(key);
      const value = plainOf(name, newValue);
      if (value !== undefined) return keep(name, value, options);
      throw new TypeError(`there is no value for "${name}": take it away with ctx.state.delete`);
    },
    delete: async (key) => keep(keyOf(key).name, undefined),
  };
}

function keyOf(key: StateKey<unknown> | string): StateKey<unknown> {
  if (typeof key === "object" && key !== null) return { ...key, name: nameOfState(key.name) };
  return { name: nameOfState(key), initial: undefined };
}

function plainOf(name: string, newValue: unknown): Value {
  return plainValue(newValue, `the value of "${name}"`, MAX_STATE_CHARACTERS) ?? undefined;
}
