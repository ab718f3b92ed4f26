import { signal } from "@preact/signals";

/** Revision of the rules, if they were reloaded while this page was open; undefined once the notice is dismissed. */
export const otherRules = signal<string | undefined>(undefined);
