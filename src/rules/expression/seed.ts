import type { View } from "./view.ts";

/** Key of a view under which its seed is: no name of an expression can be a symbol. */
const SEED = Symbol("seed");

/** Adds the seed of all that expressions draw which are evaluated with `view`. */
export function withSeed<V extends object>(view: V, seed: string): V {
  return Object.assign(view, { [SEED]: seed });
}

/** The seed of `view`; the same each time that the same step of the same run is performed. */
export function seedOf(view: View): string {
  const seed: unknown = Reflect.get(view, SEED);
  return typeof seed === "string" ? seed : "";
}
