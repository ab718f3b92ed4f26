/** Entry point for other folders: decides which rules an event starts, and explains why other rules do not run. */
export * from "./decide/decide.ts";
export type * from "./decide/decision.ts";
export { isTriggered } from "./decide/judge.ts";
export * from "./decide/mode.ts";
