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

  const inTurn = turnsByName();

  function get<V>(key: StateKey<V>): Promise<V>;
  function get(name: string): Promise<Value>;
  async function get(key: StateKey<unknown> | string): Promise<unknown> {
    const { name, initial } = keyOf(key);
    return copyOf(await recorder.get({ of, name }), initial);
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
    return inTurn(key.name, async () => {
      let isReading = true;
      const before = await recorder.get({ of, name: key.name }, () => isReading);
      // From here to the recorded change nothing is awaited, so nothing is stored in between.
      isReading = false;
      const after = changedBy(change, key, copyOf(before, key.initial));
      await keep(key.name, plainOf(key.name, after), options);
      return after;
    });
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

/**
 * Returns a copy of a stored value, because the handler may change it in place: the record needs the value that was
 * read, and all handlers share the initial value.
 */
function copyOf(value: Value, initial: unknown): unknown {
  return structuredClone(value ?? initial);
}

/** Returns a function that runs work on one value after the earlier work on it: both would else read the same value. */
function turnsByName() {
  const last = new Map<string, Promise<unknown>>();
  return (name: string, work: () => Promise<unknown>): Promise<unknown> => {
    const before = last.get(name)?.catch(() => {}) ?? Promise.resolve();
    const turn = before.then(work);
    last.set(name, turn);
    return turn;
  };
}

/** Returns the changed value. With a StateKey, the value has the type of `change`'s parameter; with a name, any type. */
function changedBy(
  change: (before: never) => unknown,
  { name, initial }: StateKey<unknown>,
  before: unknown,
): unknown {
  const after = change(before as never);
  if (after instanceof Promise) {
    throw new TypeError(
      `the change of "${name}" can't wait: do that before ctx.state.update, in a ctx.step`,
    );
  }
  if (after === null && initial !== null) {
    throw new TypeError(
      `the change of "${name}" returned null, which can't be stored: return undefined to delete the value`,
    );
  }
  return after;
}

function keyOf(key: StateKey<unknown> | string): StateKey<unknown> {
  if (typeof key === "object" && key !== null) return { ...key, name: nameOfState(key.name) };
  return { name: nameOfState(key), initial: undefined };
}

function plainOf(name: string, newValue: unknown): Value {
  return plainValue(newValue, `the value of "${name}"`, MAX_STATE_CHARACTERS) ?? undefined;
}
