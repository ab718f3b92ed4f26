/** Door: moments at which rules with a schedule start. */
export * from "./schedule/schedule.ts";
export * from "./schedule/scheduled-rules.ts";
