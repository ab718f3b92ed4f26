import { signal } from "@preact/signals";

/** Revision of the rules that came into force while the console was open, until somebody has taken note of it. */
export const otherRules = signal<string | undefined>(undefined);
