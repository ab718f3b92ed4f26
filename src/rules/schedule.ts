/** Door: computes the moments at which schedules start rules. */
export * from "./schedule/schedule.ts";
export * from "./schedule/scheduled-rules.ts";
