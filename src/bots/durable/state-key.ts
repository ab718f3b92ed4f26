/** A value of state with its type: its name in the store, and what it is while nothing is kept. */
export interface StateKey<V> {
  readonly name: string;
  /** Undefined: there is none until something is kept. */
  readonly initial: V;
}

/**
 * Names a value of state, so that its type is known wherever it is read and written. It takes the place of the name
 * in `ctx.state.get`, `.set`, `.update` and `.delete`; rules know the value as `state.sender.NAME` and so on.
 *
 * @typeParam V Plain data, as JSON has it. What is kept is not checked: where rules write it too, that is up to them.
 * @param initial What it is while nothing is kept; its type is taken from it.
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

/** @throws {TypeError} where it can't be one. */
export function nameOfState(name: unknown): string {
  if (typeof name === "string" && STATE_NAME.test(name)) return name;
  throw new TypeError(
    `a name of state is 1 to 64 letters, digits and "_", and begins with none of the digits, got ${JSON.stringify(name)}`,
  );
}
