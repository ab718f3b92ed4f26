import type { Path } from "./yaml-document.ts";

/** The value at `path` inside plain data; `undefined` when there is no such path. */
export function valueAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const step of path) {
    if (typeof inner !== "object" || inner === null) return undefined;
    inner = Object.hasOwn(inner, step) ? Reflect.get(inner, step) : undefined;
  }
  return inner;
}
