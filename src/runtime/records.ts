/** Entry point for other folders and for the console's page: pure functions on stored records and periods. */
export { shownTime } from "./catchup/coverage-view.ts";
export { CLOCK_MARGIN_MS, minuteAfter, minuteBefore, replayReach } from "./catchup/plan.ts";
export { handWindow } from "./catchup/replay/by-hand.ts";
export { StoreError } from "./store/errors.ts";
export { HELD_QUIET, countedAs, isHeldBack, isSettled } from "./store/item.ts";
export { operatorOf } from "./store/operator-owner.ts";
export { isOpenRun, ruleOrBotOf, runId, runIdParts } from "./store/run.ts";
export { ERASED, WITHDRAWN } from "./store/transition.ts";
