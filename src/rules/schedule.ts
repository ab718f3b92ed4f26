/** Entry point for other folders: moments of schedules, and search queries, which start rules without a webhook. */
export * from "./schedule/schedule.ts";
export * from "./schedule/scheduled-rules.ts";
export * from "./search/searched-queries.ts";
