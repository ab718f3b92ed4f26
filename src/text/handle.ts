/** Returns a handle in the form of events: `ann` for `@ann`. */
export function handleOf(written: string): string {
  return written.replace(/^\s*[@\uff20]/, "");
}
