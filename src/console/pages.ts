/** A page of the console. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  /** Part of the console without which the page can't be shown. */
  readonly needs?: "runtime" | "sandbox" | "bot";
}

/** Parts that this console has: a bot's runtime, a sandbox, and the sandbox's bot account. */
export interface ShownParts {
  readonly runtime: boolean;
  readonly sandbox: boolean;
  /** Whether the sandbox has a bot account. */
  readonly bot: boolean;
}

/** The pages, in the order of the navigation. Addresses below a page's path belong to this page. */
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
  { path: "/docs", title: "Docs" },
] as const satisfies readonly ConsolePage[];

/** Returns the pages that can be shown: pages without `needs`, and pages whose needed part exists. */
export function pagesWith(shown: ShownParts): readonly (typeof PAGES)[number][] {
  return PAGES.filter((page) => !("needs" in page) || shown[page.needs]);
}
