import type { Environment } from "@marcbachmann/cel-js";

const MAX_COPIES = 256;
const copiesByBase = new WeakMap<Environment, Map<string, Environment>>();

/**
 * Declares further names in a copy of `base`. Copies with the same names are shared: creating an environment takes more
 * time and memory than the rule that is compiled with it.
 *
 * @param names Key under which the copy is shared: equal keys have equal declarations.
 * @param declare Declares the names in a copy of `base`.
 */
export function extended(
  base: Environment,
  names: string,
  declare: (copy: Environment) => Environment,
): Environment {
  const own = copiesByBase.get(base) ?? new Map<string, Environment>();
  copiesByBase.set(base, own);
  const before = own.get(names);
  if (before) return before;
  const extendedCopy = declare(base.clone());
  if (own.size >= MAX_COPIES) own.delete(own.keys().next().value ?? "");
  own.set(names, extendedCopy);
  return extendedCopy;
}
