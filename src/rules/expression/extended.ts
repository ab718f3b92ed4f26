import type { Environment } from "@marcbachmann/cel-js";

const MOST_KNOWN = 256;
const known = new WeakMap<Environment, Map<string, Environment>>();

/**
 * `base` with other names declared. What declares the same is shared: an environment takes longer to make,
 * and more memory, than the rule that is compiled with it.
 *
 * @param names Says what is declared: equal texts, equal declarations.
 * @param declare Declares it in a copy of `base`.
 */
export function extended(
  base: Environment,
  names: string,
  declare: (copy: Environment) => Environment,
): Environment {
  const own = known.get(base) ?? new Map<string, Environment>();
  known.set(base, own);
  const before = own.get(names);
  if (before) return before;
  const made = declare(base.clone());
  if (own.size >= MOST_KNOWN) own.delete(own.keys().next().value ?? "");
  own.set(names, made);
  return made;
}
