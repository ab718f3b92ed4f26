import type { Path } from "./yaml-document.ts";

/** Returns the value at `path` inside plain data; `undefined` if there is no such path. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = Object.hasOwn(inner, step) ? Reflect.get(inner, step) : undefined;
  }
  return inner;
}
