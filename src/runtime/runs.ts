/** Entry point for other folders: reads stored runs and their events. */
export { DRY_RUN } from "./outbox/dry-run.ts";
export { eventOf, eventReader, isLate } from "./runs/entry-event.ts";
export { openWaits } from "./runs/handlers/kept-handler.ts";
export { type DecidedCount, reachedBy, readState } from "./runs/kept-state.ts";
export { PASSED_OVER } from "./runs/interpret/on-event.ts";
export { interruptsOf } from "./runs/listeners.ts";
export { trunkOf, wholeOf } from "./runs/parallel/branch-owner.ts";
export { ownerOfRun, ruleIdOf, stepKey, stepLabel } from "./runs/run-place.ts";
export { resultOfSent } from "./runs/step-results.ts";
