import { signal } from "@preact/signals";

/** Revision of the rules that were loaded while the console was open; undefined once the notice is dismissed. */
export const otherRules = signal<string | undefined>(undefined);
