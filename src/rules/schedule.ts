/** Entry point for other folders: times of `schedule` triggers, and the search queries of `post.found` triggers. */
export * from "./schedule/schedule.ts";
export * from "./schedule/scheduled-rules.ts";
export * from "./search/searched-queries.ts";
