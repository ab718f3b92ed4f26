/** Returns a handle in the form of events: `ann` for `@ann`. */
export function handleOf(written: string): string {
  return written.replace(/^\s*[@\uff20]/, "");
}

/** Returns whether a text is the id of this user, or the handle in any case, with or without `@`. */
export function isNamed(
  { id, username }: { readonly id: string; readonly username?: string | undefined },
  written: string,
): boolean {
  return id === written || username?.toLowerCase() === handleOf(written).toLowerCase();
}
