/** A page of the console. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  /** What it can't do without. */
  readonly needs?: "runtime" | "sandbox" | "bot";
}

/** What a console has to show. */
export interface ShownParts {
  readonly runtime: boolean;
  readonly sandbox: boolean;
  /** An account of the sandbox that answers. */
  readonly bot: boolean;
}

/** The pages in the order of the navigation; each has its address and everything below it. */
export const PAGES = [
  { path: "/conversations", title: "Conversations", needs: "runtime" },
  { path: "/chat", title: "Chat", needs: "bot" },
  { path: "/traces", title: "Traces", needs: "runtime" },
  { path: "/events", title: "Events" },
  { path: "/delivery", title: "Delivery" },
  { path: "/rules", title: "Rules", needs: "runtime" },
  { path: "/outbox", title: "Outbox", needs: "runtime" },
  { path: "/portal", title: "Portal", needs: "sandbox" },
  { path: "/faults", title: "Faults", needs: "sandbox" },
  { path: "/data", title: "Data", needs: "sandbox" },
  { path: "/ads", title: "Ads", needs: "sandbox" },
  { path: "/api", title: "API", needs: "sandbox" },
  { path: "/log", title: "Log" },
] as const satisfies readonly ConsolePage[];

/** Those of which there is something to show; others say what they lack. */
export function pagesWith(shown: ShownParts): readonly (typeof PAGES)[number][] {
  return PAGES.filter((page) => !("needs" in page) || shown[page.needs]);
}
