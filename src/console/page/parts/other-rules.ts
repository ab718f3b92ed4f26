import { signal } from "@preact/signals";

/** Revision of rules that came into force while the console was open, until the notice is dismissed. */
export const otherRules = signal<string | undefined>(undefined);
