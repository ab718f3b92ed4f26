import type { View } from "./view.ts";

/** Key of the seed in a view. Expressions can't read it, since it is a symbol. */
const SEED = Symbol("seed");

/** Adds the seed for all random draws of expressions that are evaluated with `view`. */
export function withSeed<V extends object>(view: V, seed: string): V {
  return Object.assign(view, { [SEED]: seed });
}

/** Returns the seed of `view`. The seed is the same each time that the same step of the same run is performed. */
export function seedOf(view: View): string {
  const seed: unknown = Reflect.get(view, SEED);
  return typeof seed === "string" ? seed : "";
}
