/** Typed key of a stored value: its name, and its initial value. */
export interface StateKey<V> {
  readonly name: string;
  /** Value that is returned if nothing is stored. */
  readonly initial: V;
}

/**
 * Defines a typed key for a stored value. Pass the key instead of a name to `ctx.state.get`, `.set`, `.update` and
 * `.delete`. Rules read the value by its name, as in `state.sender.NAME`.
 *
 * @typeParam V Plain data. Stored values are not checked against this type: rules that write the name must match it.
 * @param initial Value if nothing is stored; determines the type.
 *
 * @example
 * const SCORE = defineState("score", { right: 0, asked: 0 });
 * await ctx.state.update(SCORE, (score) => ({ ...score, asked: score.asked + 1 }));
 */
export function defineState<V>(name: string, initial: V): StateKey<V>;
export function defineState<V>(name: string): StateKey<V | undefined>;
export function defineState<V>(name: string, initial?: V): StateKey<V | undefined> {
  return { name: nameOfState(name), initial };
}

const STATE_NAME = /^[A-Za-z_]\w{0,63}$/;

/** Returns the name of a stored value. @throws {TypeError} if the name is invalid. */
export function nameOfState(name: unknown): string {
  if (typeof name === "string" && STATE_NAME.test(name)) return name;
  throw new TypeError(
    `a name of state is 1 to 64 letters, digits and "_", and begins with none of the digits, got ${JSON.stringify(name)}`,
  );
}
