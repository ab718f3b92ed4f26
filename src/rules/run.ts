/** Entry point for other folders: advances a run from one step that needs something from outside to the next. */
export * from "./run/advance.ts";
export { branchBlock } from "./run/step.ts";
export type { BotPause, HandOver } from "./run/hand-over.ts";
export * from "./run/listen.ts";
export { timedOut } from "./run/moves.ts";
export { callAt } from "./run/open-call.ts";
export * from "./run/parallel.ts";
export type * from "./run/run-state.ts";
export { runView } from "./run/run-view.ts";
export * from "./run/step.ts";
