/** Door: computes what starts rules besides the platform's events: the moments of schedules, and searches. */
export * from "./schedule/schedule.ts";
export * from "./schedule/scheduled-rules.ts";
export * from "./search/searched-queries.ts";
