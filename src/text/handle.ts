/** A handle as events have it: `ann` for `@ann`. */
export function handleOf(written: string): string {
  return written.replace(/^\s*[@\uff20]/, "");
}
