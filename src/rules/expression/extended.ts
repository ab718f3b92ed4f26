import type { Environment } from "@marcbachmann/cel-js";

const MOST_KNOWN = 256;
const known = new WeakMap<Environment, Map<string, Environment>>();

/**
 * Declares other names in a copy of `base`. Copies with the same names are shared: creating an environment takes more
 * time and memory than the rule that is compiled with it.
 *
 * @param names Key of the declarations: equal texts have equal declarations.
 * @param declare Declares the names in a copy of `base`.
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
